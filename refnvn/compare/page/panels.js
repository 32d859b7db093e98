// What do the tables beside the picture say: the texel under the loupe, wrong elements, rows, bytes?
"use strict";

const MOST_LISTED = 1000;

function element(tag, text, class_) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (class_) made.className = class_;
  return made;
}

function row(cells, tag = "td") {
  const made = element("tr");
  for (const cell of cells) made.append(cell instanceof Node ? cell : element(tag, cell));
  return made;
}

function number(value) {
  if (Object.is(value, -0)) return "-0";
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(9)));
}

function hexCode(code, bits) {
  return `0x${code.toString(16).padStart(Math.ceil(bits / 4), "0")}`;
}

function elementReader(result, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = result.itemsize;
  return (index) => {
    const at = index * size;
    switch (result.dtype) {
      case "uint8": return view.getUint8(at);
      case "int8": return view.getInt8(at);
      case "uint16": return view.getUint16(at, true);
      case "int16": return view.getInt16(at, true);
      case "uint32": return view.getUint32(at, true);
      case "int32": return view.getInt32(at, true);
      case "uint64": return view.getBigUint64(at, true);
      case "int64": return view.getBigInt64(at, true);
      case "float16": return smallFloat(view.getUint16(at, true), 10, true);
      case "float32": return view.getFloat32(at, true);
      default: return view.getFloat64(at, true);
    }
  };
}

function bitsText(result, bytes, index) {
  let text = "";
  for (let i = result.itemsize - 1; i >= 0; i--) text += bytes[index * result.itemsize + i].toString(16).padStart(2, "0");
  return `0x${text}`;
}

function shown(result, bytes, index) {
  const value = elementReader(result, bytes)(index);
  const text = typeof value === "bigint" ? String(value) : number(value);
  return result.dtype.startsWith("float") ? `${text} (${bitsText(result, bytes, index)})` : text;
}

function permittedAt(loaded, index) {
  const { result, arrays } = loaded, found = [];
  for (const one of loaded.alternatives) {
    const from = index * result.itemsize;
    let differs = false;
    for (let i = from; i < from + result.itemsize; i++) differs ||= one.bytes[i] !== arrays.expected[i];
    if (differs) found.push(`${shown(result, one.bytes, index)} if ${one.field} = ${one.setting} (${one.reason})`);
  }
  return found;
}

function indexText(result, index) {
  const parts = [];
  for (let axis = result.shape.length - 1; axis >= 0; axis--) {
    parts.unshift(`${result.axes[axis]} ${index % result.shape[axis]}`);
    index = Math.floor(index / result.shape[axis]);
  }
  return parts.join(", ");
}

function fillTexel(loaded, place, x, y) {
  const { result, arrays } = loaded, image = result.image;
  const head = document.querySelector("#texel thead"), body = document.querySelector("#texel tbody");
  head.replaceChildren(row(["", "expected", "actual", "verdict"], "th"));
  body.replaceChildren();
  const at = texelOffset(image, place, x, y);
  const permitted = [];
  const say = (name, left, right, status) => {
    const verdict = element("td", STATUS_NAMES[status], STATUS_NAMES[status]);
    body.append(row([name, element("td", left, "number"), element("td", right, "number"), verdict]));
  };
  if (image.components.length === 0) {
    for (let i = 0; i < image.bytes_per_block; i++) {
      const status = arrays.status[Math.floor((at + i) / result.itemsize)];
      say(`byte ${i}`, hexCode(arrays.expected[at + i], 8), hexCode(arrays.actual[at + i], 8), status);
    }
  }
  for (const one of image.components) {
    if (one.name === "X") continue;
    const side = (bytes) => {
      const code = codeAt(bytes, at, one);
      return `${number(valueOf(image, one, code, bytes, at))}  ${hexCode(code, one.bits)}`;
    };
    const first = Math.floor((at + (one.first_bit >> 3)) / result.itemsize);
    const last = Math.floor((at + ((one.first_bit + one.bits - 1) >> 3)) / result.itemsize);
    let status = 0;
    for (let i = first; i <= last; i++) {
      if (SEVERITY[arrays.status[i]] > SEVERITY[status]) status = arrays.status[i];
      for (const text of permittedAt(loaded, i)) permitted.push(`${one.name}: ${text}`);
    }
    say(one.name, side(arrays.expected), side(arrays.actual), status);
  }
  document.getElementById("permitted").textContent =
    permitted.length ? `also permitted: ${[...new Set(permitted)].slice(0, 12).join("; ")}` : "";
}

function wrongIndices(status) {
  const found = [];
  let count = 0;
  for (let i = 0; i < status.length; i++) {
    if (status[i] !== WRONG) continue;
    count++;
    if (found.length < MOST_LISTED) found.push(i);
  }
  return { found, count };
}

function fillWrong(loaded, go) {
  const { result, arrays } = loaded;
  const { found, count } = loaded.wrong;
  const body = document.querySelector("#wrong-list tbody");
  body.replaceChildren();
  const listed = count > found.length ? `, the first ${found.length} listed` : "";
  document.getElementById("wrong-count").textContent = count ? `${count} of ${arrays.status.length}${listed}` : "none";
  for (const index of found) {
    const made = row([
      indexText(result, index),
      element("td", shown(result, arrays.expected, index), "number"),
      element("td", shown(result, arrays.actual, index), "number wrong"),
    ]);
    made.className = "go";
    made.tabIndex = 0;
    made.addEventListener("click", () => go(index));
    made.addEventListener("keydown", (event) => { if (event.key === "Enter") go(index); });
    body.append(made);
  }
}

function fillTable(loaded, onlyDiffering) {
  const { result, arrays } = loaded, columns = result.shape[1] ?? 1;
  const made = element("table"), names = result.columns.length ? result.columns : [...Array(columns).keys()].map(String);
  made.append(row(["", ...names], "th"));
  const rows = arrays.status.length / columns;
  let listed = 0;
  for (let y = 0; y < rows && listed < MOST_LISTED; y++) {
    const cells = [];
    let differs = false;
    for (let x = 0; x < columns; x++) {
      const index = y * columns + x, status = arrays.status[index];
      const left = shown(result, arrays.expected, index);
      const right = shown(result, arrays.actual, index);
      differs ||= left !== right;
      cells.push(element("td", left === right ? left : `${left} → ${right}`, `number ${status ? STATUS_NAMES[status] : ""}`));
    }
    if (onlyDiffering && !differs) continue;
    listed++;
    made.append(row([result.row_labels[y] ?? String(y), ...cells]));
  }
  const target = document.getElementById("table");
  target.replaceChildren(made);
  if (listed === 0) target.append(element("p", "no row differs"));
  if (listed === MOST_LISTED) target.append(element("p", `the first ${MOST_LISTED} rows`));
}

const BYTES_IN_ROW = 16;
const ROWS_AT_ONCE = 32;

function fillBytes(loaded, first) {
  const { arrays, result } = loaded, target = document.getElementById("hex");
  target.replaceChildren();
  const end = Math.min(arrays.expected.length, first + BYTES_IN_ROW * ROWS_AT_ONCE);
  for (let at = first; at < end; at += BYTES_IN_ROW) {
    const stop = Math.min(at + BYTES_IN_ROW, end);
    const line = (bytes, other) => {
      const made = element("div", `${at.toString(16).padStart(8, "0")} `);
      for (let i = at; i < stop; i++) {
        const status = arrays.status[Math.floor(i / result.itemsize)];
        const class_ = bytes[i] === other[i] ? "" : STATUS_NAMES[status];
        made.append(element("span", ` ${bytes[i].toString(16).padStart(2, "0")}`, class_));
      }
      return made;
    };
    target.append(line(arrays.expected, arrays.actual));
    let differs = false;
    for (let i = at; i < stop; i++) differs ||= arrays.expected[i] !== arrays.actual[i];
    if (differs) target.append(line(arrays.actual, arrays.expected));
  }
}

function drawHistogram(loaded, place, chosen, range) {
  const canvas = document.getElementById("histogram"), context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  const { result, arrays } = loaded, image = result.image;
  const size = levelSize(image, place.level), bins = 128;
  const component = shownComponents(image, chosen)[0];
  if (!component) return;
  const read = valueReader(image, component), step = image.samples * image.bytes_per_block;
  const start = sliceStart(image, place) + place.sample * image.bytes_per_block;
  const counts = [arrays.expected, arrays.actual].map((bytes) => {
    const found = new Array(bins).fill(0);
    for (let i = 0; i < size.width * size.height; i++) {
      const part = (read(bytes, start + i * step) - range.low) / (range.high - range.low || 1);
      if (!Number.isNaN(part)) found[Math.max(0, Math.min(bins - 1, Math.floor(part * bins)))]++;
    }
    return found;
  });
  const most = Math.log1p(Math.max(...counts[0], ...counts[1], 1)), wide = canvas.width / bins;
  counts.forEach((found, which) => {
    context.fillStyle = which ? "rgba(208, 52, 44, 0.55)" : "rgba(29, 95, 191, 0.55)";
    found.forEach((count, bin) => {
      const high = (Math.log1p(count) / most) * canvas.height;
      context.fillRect(bin * wide, canvas.height - high, wide, high);
    });
  });
  document.getElementById("histogram-legend").textContent =
    `${component.name} from ${number(range.low)} to ${number(range.high)}; blue expected, red actual; heights are logarithmic`;
}
