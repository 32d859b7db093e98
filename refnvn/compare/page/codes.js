// Which bytes are a texel, and what do its codes mean? The same meanings as refnvn/formats, for reading aloud only.
"use strict";

const WRONG = 5;
const STATUS_NAMES = ["same", "undefined", "imprecise", "any", "padding", "wrong"];
const SEVERITY = [0, 2, 3, 4, 1, 5];

async function inflated(text) {
  const binary = atob(text);
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < packed.length; i++) packed[i] = binary.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function levelSize(image, level) {
  const side = (px) => Math.max(px >> level, 1);
  const size = { width: side(image.width_px), height: side(image.height_px), depth: side(image.depth_px) };
  size.columns = Math.ceil(size.width / image.block_width_px);
  size.rows = Math.ceil(size.height / image.block_height_px);
  size.slice_B = size.columns * size.rows * image.bytes_per_block * image.samples;
  return size;
}

function sliceStart(image, place) {
  let layer_B = 0, before_B = 0;
  for (let level = 0; level < image.levels; level++) {
    const size = levelSize(image, level);
    if (level < place.level) before_B += size.slice_B * size.depth;
    layer_B += size.slice_B * size.depth;
  }
  return place.layer * layer_B + before_B + place.slice * levelSize(image, place.level).slice_B;
}

function texelOffset(image, place, x, y) {
  const size = levelSize(image, place.level);
  const block = Math.floor(y / image.block_height_px) * size.columns + Math.floor(x / image.block_width_px);
  return sliceStart(image, place) + (block * image.samples + place.sample) * image.bytes_per_block;
}

function placeOfByte(image, offset) {
  let layer_B = 0;
  const sizes = [];
  for (let level = 0; level < image.levels; level++) {
    sizes.push(levelSize(image, level));
    layer_B += sizes[level].slice_B * sizes[level].depth;
  }
  const layer = Math.floor(offset / layer_B);
  let rest = offset - layer * layer_B, level = 0;
  while (rest >= sizes[level].slice_B * sizes[level].depth) rest -= sizes[level].slice_B * sizes[level++].depth;
  const slice = Math.floor(rest / sizes[level].slice_B);
  const unit = Math.floor((rest - slice * sizes[level].slice_B) / image.bytes_per_block);
  const block = Math.floor(unit / image.samples);
  return {
    level, layer, slice, sample: unit % image.samples,
    x: (block % sizes[level].columns) * image.block_width_px,
    y: Math.floor(block / sizes[level].columns) * image.block_height_px,
  };
}

function codeAt(bytes, offset, component) {
  const first = component.first_bit & 7;
  let at = offset + (component.first_bit >> 3), code = 0, have = -first, scale = 2 ** -first;
  while (have < component.bits) {
    code += bytes[at++] * scale;
    scale *= 256;
    have += 8;
  }
  return Math.floor(code) % 2 ** component.bits;
}

const words = new DataView(new ArrayBuffer(4));

function smallFloat(code, mantissa_bits, signed) {
  const exponent_bits = 5;
  const mantissa = code % 2 ** mantissa_bits;
  const exponent = Math.floor(code / 2 ** mantissa_bits) % 2 ** exponent_bits;
  const sign = signed && code >= 2 ** (mantissa_bits + exponent_bits) ? -1 : 1;
  if (exponent === 31) return mantissa ? NaN : sign * Infinity;
  if (exponent === 0) return sign * mantissa * 2 ** (-14 - mantissa_bits);
  return sign * (1 + mantissa / 2 ** mantissa_bits) * 2 ** (exponent - 15);
}

function floatOf(code, bits) {
  if (bits === 32) {
    words.setUint32(0, code);
    return words.getFloat32(0);
  }
  return bits === 16 ? smallFloat(code, 10, true) : smallFloat(code, bits - 5, false);
}

function signedOf(code, bits) {
  return code >= 2 ** (bits - 1) ? code - 2 ** bits : code;
}

function meaning(image, component) {
  const class_ = image.numeric_class;
  if (component.name === "S") return "uint";
  if (class_.startsWith("depth-unorm")) return "unorm";
  if (class_.startsWith("depth-float")) return "float";
  return class_ === "ufloat" ? "float" : class_;
}

function valueOf(image, component, code, bytes, offset) {
  switch (meaning(image, component)) {
    case "unorm": return code / (2 ** component.bits - 1);
    case "snorm": return Math.max(signedOf(code, component.bits) / (2 ** (component.bits - 1) - 1), -1);
    case "sint": case "sint-to-float": return signedOf(code, component.bits);
    case "float": return floatOf(code, component.bits);
    case "shared-exp": {
      const exponent = codeAt(bytes, offset, image.components.find((one) => one.name === "E"));
      return component.name === "E" ? code : code * 2 ** (exponent - 24);
    }
    default: return code;
  }
}

function valueReader(image, component) {
  const offset_B = component.first_bit >> 3;
  if (image.numeric_class === "unorm" && component.bits === 8 && component.first_bit % 8 === 0) {
    return (bytes, at) => bytes[at + offset_B] / 255;
  }
  return (bytes, at) => valueOf(image, component, codeAt(bytes, at, component), bytes, at);
}
