// How do stored codes become pixels of a canvas, and how are two of them compared?
"use strict";

const MODES = [
  ["expected", "expected"], ["actual", "actual"], ["difference", "difference"], ["heat", "heat map"],
  ["verdict", "verdict"], ["mask", "what NVN leaves open"], ["side", "side by side"], ["flicker", "flicker"],
  ["wipe", "slider"],
];

function cssColor(name) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
}

function shownComponents(image, chosen) {
  const all = image.components.filter((one) => one.name !== "X" && one.name !== "E");
  if (chosen !== "") return [all.find((one) => one.name === chosen) || all[0]];
  const colors = all.filter((one) => "RGB".includes(one.name));
  if (colors.length > 1) return [...colors, ...all.filter((one) => one.name === "A")];
  return [colors[0] || all.find((one) => one.name === "D") || all[0]];
}

// Every picture is drawn by a painter: (x, y, byte offset of the texel, place to put four bytes) for each texel.
function paint(canvas, image, place, painter) {
  const size = levelSize(image, place.level);
  canvas.width = size.width;
  canvas.height = size.height;
  const context = canvas.getContext("2d");
  const picture = context.createImageData(size.width, size.height);
  const plain = image.block_width_px === 1 && image.block_height_px === 1;
  const start = sliceStart(image, place) + place.sample * image.bytes_per_block;
  const step = image.samples * image.bytes_per_block;
  for (let y = 0, to = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, to += 4) {
      const at = plain ? start + (y * size.width + x) * step : texelOffset(image, place, x, y);
      painter(picture.data, to, at, x, y);
    }
  }
  context.putImageData(picture, 0, 0);
}

function pixelsPainter(picture, image, place, opaque) {
  // Compressed blocks come with their pictures, level 0 of every layer and slice after another.
  const size = levelSize(image, 0);
  const start = (place.layer * image.depth_px + place.slice) * size.width * size.height;
  return (data, to, _at, x, y) => {
    const from = 4 * (start + y * size.width + x);
    for (let i = 0; i < 4; i++) data[to + i] = opaque && i === 3 ? 255 : picture[from + i];
  };
}

function colorPainter(bytes, image, chosen, range, opaque = false) {
  const all = shownComponents(image, chosen);
  const shown = opaque && all.length > 1 ? all.filter((one) => one.name !== "A") : all;
  const readers = shown.map((one) => valueReader(image, one));
  const scale = 255 / (range.high - range.low || 1);
  const grey = shown.length === 1;
  const places = shown.map((one) => "RGBA".indexOf(one.name));
  return (data, to, at) => {
    data[to] = data[to + 1] = data[to + 2] = 0;
    data[to + 3] = 255;
    for (let i = 0; i < readers.length; i++) {
      const value = readers[i](bytes, at);
      const level = places[i] === 3 && !grey ? value * 255 : (value - range.low) * scale;
      if (Number.isNaN(value)) {
        data[to] = data[to + 2] = 255;
        return;
      }
      if (grey) data[to] = data[to + 1] = data[to + 2] = level;
      else data[to + places[i]] = level;
    }
  };
}

function differencePainter(expected, actual, image, chosen, range, gain) {
  const one = colorPainter(expected, image, chosen, range), two = colorPainter(actual, image, chosen, range);
  const left = new Uint8ClampedArray(4), right = new Uint8ClampedArray(4);
  return (data, to, at) => {
    one(left, 0, at);
    two(right, 0, at);
    for (let i = 0; i < 3; i++) data[to + i] = gain * Math.abs(left[i] - right[i]);
    const alpha = gain * Math.abs(left[3] - right[3]);
    for (let i = 0; i < 3; i++) data[to + i] = Math.max(data[to + i], alpha);
    data[to + 3] = 255;
  };
}

function largestStep(expected, actual, image, at) {
  let most = 0;
  for (const one of image.components) {
    if (one.name === "X") continue;
    most = Math.max(most, Math.abs(codeAt(expected, at, one) - codeAt(actual, at, one)) / (2 ** one.bits - 1));
  }
  return most;
}

function heatPainter(expected, actual, image) {
  const compressed = image.components.length === 0;
  return (data, to, at) => {
    let step = 0;
    if (compressed) {
      for (let i = 0; i < image.bytes_per_block; i++) step = Math.max(step, Number(expected[at + i] !== actual[at + i]));
    } else step = largestStep(expected, actual, image, at);
    // A step of one code in 2^24 is already visible; the scale is logarithmic.
    const heat = step === 0 ? 0 : Math.max(0.15, 1 + Math.log2(step) / 24);
    data[to] = 255 * Math.min(1, 2 * heat);
    data[to + 1] = 255 * Math.max(0, 2 * heat - 1);
    data[to + 2] = step === 0 ? 40 : 0;
    data[to + 3] = 255;
  };
}

function worstStatus(status, image, itemsize, at) {
  let worst = 0;
  const last = Math.max(Math.ceil((at + image.bytes_per_block) / itemsize), Math.floor(at / itemsize) + 1);
  for (let i = Math.floor(at / itemsize); i < last; i++) if (SEVERITY[status[i]] > SEVERITY[worst]) worst = status[i];
  return worst;
}

function statusPainter(status, image, itemsize) {
  const colors = STATUS_NAMES.map((name) => (name === "same" ? [60, 66, 74] : cssColor(name)));
  return (data, to, at) => {
    const color = colors[worstStatus(status, image, itemsize, at)];
    for (let i = 0; i < 3; i++) data[to + i] = color[i];
    data[to + 3] = 255;
  };
}
