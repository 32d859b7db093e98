// What is looked at, and what happens when a key or a button says something else?
"use strict";

const LOUPE_TEXELS = 11;
const LOUPE_CELL_PX = 15;
const FLICKER_MS = 500;
const WORD_B = 4;
const data = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);
const state = { mode: "side", chosen: "", x: 0, y: 0, range: { low: 0, high: 1 }, wrongAt: -1, flickered: false };
const place = { level: 0, layer: 0, slice: 0, sample: 0 };
let loaded = null;
let flicker = 0;

async function load(result) {
  if (result.loaded) return result.loaded;
  const arrays = {};
  for (const name of ["expected", "actual", "status", "mask"]) arrays[name] = await inflated(result.data[name]);
  const pictures = {};
  for (const name of Object.keys(result.pictures)) pictures[name] = await inflated(result.pictures[name]);
  const alternatives = [];
  for (const one of result.alternatives) {
    const bytes = await inflated(one.exclusive_or);
    for (let i = 0; i < bytes.length; i++) bytes[i] ^= arrays.expected[i];
    alternatives.push({ ...one, bytes });
  }
  result.loaded = { result, arrays, pictures, alternatives, wrong: wrongIndices(arrays.status) };
  return result.loaded;
}

function options(select, texts, values = texts) {
  select.replaceChildren(...texts.map((text, i) => {
    const made = element("option", text);
    made.value = values[i];
    return made;
  }));
}

function counted(number) {
  return [...Array(number).keys()].map(String);
}

function isPicture(result) {
  return result.image !== null && result.image.layout === "linear" &&
    (result.image.components.length > 0 || Object.keys(result.pictures).length > 0);
}

function rangeOfValues() {
  const { result, arrays } = loaded, image = result.image;
  const shown = shownComponents(image, state.chosen).filter((one) => one && (one.name !== "A" || state.chosen === "A"));
  let low = Infinity, high = -Infinity;
  const size = levelSize(image, place.level), step = image.samples * image.bytes_per_block;
  const start = sliceStart(image, place) + place.sample * image.bytes_per_block;
  for (const one of shown) {
    const read = valueReader(image, one);
    for (const bytes of [arrays.expected, arrays.actual]) {
      for (let i = 0; i < size.width * size.height; i++) {
        const value = read(bytes, start + i * step);
        if (!Number.isFinite(value)) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
  }
  return low <= high ? { low, high: high > low ? high : low + 1 } : { low: 0, high: 1 };
}

function plainRange(image) {
  const kind = meaning(image, shownComponents(image, state.chosen)[0]);
  return ["uint", "sint"].includes(kind) ? rangeOfValues() : { low: kind === "snorm" ? -1 : 0, high: 1 };
}

function setRange(range) {
  state.range = range;
  by("low").value = number(range.low);
  by("high").value = number(range.high);
}

function painterOf(mode) {
  const { result, arrays, pictures } = loaded, image = result.image;
  if (mode === "expected" || mode === "actual") {
    const opaque = by("opaque").checked;
    if (pictures[mode]) return pixelsPainter(pictures[mode], image, place, opaque);
    return colorPainter(arrays[mode], image, state.chosen, state.range, opaque);
  }
  if (mode === "heat" || (mode === "difference" && pictures.expected)) {
    return heatPainter(arrays.expected, arrays.actual, image);
  }
  if (mode === "difference") {
    const gain = Number(by("gain").value) || 1;
    return differencePainter(arrays.expected, arrays.actual, image, state.chosen, state.range, gain);
  }
  return statusPainter(mode === "mask" ? arrays.mask : arrays.status, image, result.itemsize);
}

function figure(mode, caption) {
  const made = element("figure"), canvas = element("canvas");
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${caption} picture`);
  canvas.dataset.mode = mode;
  made.append(canvas, element("figcaption", caption));
  paint(canvas, loaded.result.image, place, painterOf(mode));
  const scale = zoom(canvas);
  canvas.style.width = `${canvas.width * scale}px`;
  canvas.style.height = `${canvas.height * scale}px`;
  canvas.style.transform = by("flip").checked ? "scaleY(-1)" : "";
  canvas.addEventListener("click", (event) => {
    const box = canvas.getBoundingClientRect();
    const down = (event.clientY - box.top) / box.height;
    const y = Math.floor((by("flip").checked ? 1 - down : down) * canvas.height);
    look(Math.floor(((event.clientX - box.left) / box.width) * canvas.width), y);
  });
  return made;
}

function zoom(canvas) {
  const chosen = by("zoom").value;
  if (chosen !== "fit") return Number(chosen);
  const room = (by("pictures").clientWidth || 800) / (state.mode === "side" ? 2.1 : 1.02);
  const fit = Math.min(room / canvas.width, (window.innerHeight * 0.55) / canvas.height);
  return fit >= 1 ? Math.max(1, Math.floor(fit)) : fit;
}

function wiped(stage) {
  const part = by("wipe").value / 10;
  stage.lastChild.firstChild.style.clipPath = `inset(0 0 0 ${part}%)`;
}

function draw() {
  const stage = by("stage");
  clearInterval(flicker);
  const pairs = { side: ["expected", "actual"], wipe: ["expected", "actual"], flicker: ["expected", "actual"] };
  const modes = pairs[state.mode] || [state.mode];
  stage.replaceChildren(...modes.map((mode) => figure(mode, MODES.find((one) => one[0] === mode)[1])));
  stage.className = state.mode === "wipe" || state.mode === "flicker" ? "stacked" : "";
  by("wipe-label").hidden = state.mode !== "wipe";
  by("gain-label").hidden = state.mode !== "difference";
  if (state.mode === "wipe") wiped(stage);
  if (state.mode === "flicker") {
    const turn = () => { stage.lastChild.style.visibility = stage.lastChild.style.visibility ? "" : "hidden"; };
    flicker = setInterval(turn, FLICKER_MS);
  }
  for (const button of by("modes").children) button.setAttribute("aria-pressed", String(button.dataset.mode === state.mode));
  legend();
  if (loaded.result.image.components.length) drawHistogram(loaded, place, state.chosen, state.range);
}

function legend() {
  const target = by("legend");
  target.replaceChildren();
  if (state.mode !== "verdict" && state.mode !== "mask") return;
  for (const name of STATUS_NAMES) {
    if (state.mode === "mask" && name === "wrong") continue;
    target.append(element("span", `■ ${name} `, name));
  }
}

function setMode(mode) {
  state.mode = mode;
  draw();
}

function loupe(mode) {
  const canvas = element("canvas"), context = canvas.getContext("2d");
  const image = loaded.result.image;
  const size = levelSize(image, place.level), half = (LOUPE_TEXELS - 1) / 2;
  canvas.width = canvas.height = LOUPE_TEXELS * LOUPE_CELL_PX;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${mode} around the texel`);
  const painter = painterOf(mode), one = new Uint8ClampedArray(4);
  for (let row = 0; row < LOUPE_TEXELS; row++) {
    for (let column = 0; column < LOUPE_TEXELS; column++) {
      const x = state.x + column - half, y = state.y + (by("flip").checked ? half - row : row - half);
      if (x < 0 || y < 0 || x >= size.width || y >= size.height) continue;
      painter(one, 0, texelOffset(image, place, x, y), x, y);
      context.fillStyle = `rgba(${one[0]}, ${one[1]}, ${one[2]}, ${one[3] / 255})`;
      context.fillRect(column * LOUPE_CELL_PX, row * LOUPE_CELL_PX, LOUPE_CELL_PX - 1, LOUPE_CELL_PX - 1);
    }
  }
  context.strokeStyle = "#ff00ff";
  context.strokeRect(half * LOUPE_CELL_PX - 0.5, half * LOUPE_CELL_PX - 0.5, LOUPE_CELL_PX, LOUPE_CELL_PX);
  return canvas;
}

function look(x, y) {
  const size = levelSize(loaded.result.image, place.level);
  state.x = Math.max(0, Math.min(size.width - 1, x));
  state.y = Math.max(0, Math.min(size.height - 1, y));
  by("loupes").replaceChildren(loupe("expected"), loupe("actual"));
  const offset = texelOffset(loaded.result.image, place, state.x, state.y);
  by("where").textContent = `column ${state.x}, row ${state.y}, level ${place.level}, layer ${place.layer}, ` +
    `slice ${place.slice}, sample ${place.sample}; byte ${offset}`;
  fillTexel(loaded, place, state.x, state.y);
  showHistory([place.level, place.layer + place.slice, state.x, state.y, place.sample].join("/"));
}

function showHistory(key) {
  const history = loaded.result.histories[key];
  by("history-box").hidden = !history;
  const lines = (history || "").split("\n");
  by("history").replaceChildren(...lines.map((line, i) => {
    return element("span", i + 1 < lines.length ? `${line}\n` : line, classOfLine(line));
  }));
}

function classOfLine(line) {
  if (line.includes("read by ")) return "read";
  return /: fails|: lost to |: not covered|does not pass/.test(line) ? "lost" : "";
}

function goTo(index) {
  const { result } = loaded;
  state.wrongAt = loaded.wrong.found.indexOf(index);
  if (isPicture(result)) {
    const found = placeOfByte(result.image, index * result.itemsize);
    const moved = ["level", "layer", "slice", "sample"].some((name) => place[name] !== found[name]);
    for (const name of ["level", "layer", "slice", "sample"]) {
      place[name] = found[name];
      by(name).value = String(found[name]);
    }
    if (moved) draw();
    look(found.x, found.y);
  } else if (result.kind !== "table") {
    showBytes(Math.floor((index * result.itemsize) / BYTES_IN_ROW) * BYTES_IN_ROW);
    showHistory(`word/${Math.floor((index * result.itemsize) / WORD_B)}`);
  }
}

function showBytes(first) {
  const last = Math.max(0, loaded.arrays.expected.length - 1);
  const at = Math.max(0, Math.min(first, last));
  by("byte").value = at - (at % BYTES_IN_ROW);
  fillBytes(loaded, at - (at % BYTES_IN_ROW));
}

function showChoices(result) {
  const made = element("table");
  made.append(row(["choice", "because"], "th"));
  for (const one of result.choices) made.append(row([`${one.field} = ${one.setting} (${one.reason})`, one.because]));
  by("choices").replaceChildren(result.choices.length ? made : element("p", "Nothing: every element is decided."));
}

function channelButtons(image) {
  const names = image.components.filter((one) => one.name !== "X" && one.name !== "E").map((one) => one.name);
  const made = ["", ...names].map((name) => {
    const button = element("button", name || "all");
    button.type = "button";
    button.setAttribute("aria-pressed", String(state.chosen === name));
    button.addEventListener("click", () => {
      state.chosen = name;
      for (const other of made) other.setAttribute("aria-pressed", String(other === button));
      setRange(plainRange(image));
      draw();
      look(state.x, state.y);
    });
    return button;
  });
  by("channels").replaceChildren(...(names.length > 1 ? made : []));
}

async function showResult(result) {
  document.body.dataset.ready = "no";
  loaded = await load(result);
  const picture = isPicture(result), image = result.image;
  by("pictures").hidden = by("loupe-box").hidden = by("histogram-box").hidden = !picture;
  by("table-view").hidden = result.kind !== "table";
  by("bytes-view").hidden = picture || result.kind === "table";
  by("history-box").hidden = true;
  Object.assign(state, { chosen: "", wrongAt: -1 });
  Object.assign(place, { level: 0, layer: 0, slice: 0, sample: 0 });
  fillWrong(loaded, goTo);
  showChoices(result);
  if (picture) {
    options(by("level"), counted(image.components.length ? image.levels : 1));
    options(by("layer"), counted(image.layers));
    options(by("slice"), counted(image.depth_px));
    options(by("sample"), counted(image.samples));
    for (const name of ["level", "layer", "slice", "sample"]) by(name).parentElement.hidden = by(name).options.length < 2;
    by("flip").checked = false;
    channelButtons(image);
    setRange(image.components.length ? plainRange(image) : { low: 0, high: 1 });
    draw();
    if (loaded.wrong.count) goTo(loaded.wrong.found[0]);
    else look(0, 0);
  } else if (result.kind === "table") fillTable(loaded, by("only-differing").checked);
  else if (loaded.wrong.count) goTo(loaded.wrong.found[0]);
  else showBytes(0);
  document.body.dataset.ready = "yes";
}

async function showComparison(comparison) {
  by("says").textContent = comparison.says;
  by("verdict").textContent = comparison.verdict;
  by("verdict").className = `verdict ${comparison.verdict === "wrong" ? "wrong" : "same"}`;
  by("counts").textContent = comparison.counts;
  by("words").textContent = comparison.words;
  by("diagnosis").textContent = comparison.diagnosis;
  by("diagnosis").hidden = comparison.diagnosis === "";
  options(by("result"), comparison.results.map((one) => `${one.name}${one.wrong ? ` (${one.wrong} wrong)` : ""}`),
    counted(comparison.results.length));
  by("result").parentElement.hidden = document.querySelector("section").hidden = comparison.results.length === 0;
  if (comparison.results.length === 0) {
    document.body.dataset.ready = "yes";
    return;
  }
  const worst = Math.max(0, comparison.results.findIndex((one) => one.wrong));
  by("result").value = String(worst);
  await showResult(comparison.results[worst]);
}

function step(select, by_) {
  const next = select.selectedIndex + by_;
  if (next < 0 || next >= select.options.length) return;
  select.selectedIndex = next;
  select.dispatchEvent(new Event("change"));
}

function nextWrong(by_) {
  const count = loaded.wrong.found.length;
  if (count) goTo(loaded.wrong.found[(state.wrongAt + by_ + count) % count]);
}

function onKey(event) {
  if (["INPUT", "SELECT"].includes(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  const far = event.shiftKey ? 16 : 1, up = by("flip").checked ? 1 : -1;
  const moves = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, up * far], ArrowDown: [0, -up * far] };
  const picture = isPicture(loaded.result);
  if (moves[event.key] && picture) look(state.x + moves[event.key][0], state.y + moves[event.key][1]);
  else if (picture && event.key >= "1" && event.key <= String(MODES.length)) setMode(MODES[Number(event.key) - 1][0]);
  else if (event.key === "n") nextWrong(1);
  else if (event.key === "p") nextWrong(-1);
  else if (!picture) return;
  else if (event.key === "+" || event.key === "=") step(by("zoom"), 1);
  else if (event.key === "-") step(by("zoom"), -1);
  else if (event.key === "[") step(by("level"), -1);
  else if (event.key === "]") step(by("level"), 1);
  else if (event.key === ",") step(by("layer"), -1);
  else if (event.key === ".") step(by("layer"), 1);
  else if (event.key === "f") setMode(state.mode === "actual" ? "expected" : "actual");
  else return;
  event.preventDefault();
}

function wire() {
  by("title").textContent = data.title;
  options(by("comparison"), data.comparisons.map((one) => `${one.name}: ${one.verdict}`), counted(data.comparisons.length));
  by("comparison").parentElement.hidden = data.comparisons.length < 2;
  const chosenComparison = () => data.comparisons[by("comparison").selectedIndex];
  by("comparison").addEventListener("change", () => showComparison(chosenComparison()));
  by("result").addEventListener("change", () => showResult(chosenComparison().results[by("result").selectedIndex]));
  MODES.forEach(([mode, text], i) => {
    const button = element("button", text);
    button.type = "button";
    button.dataset.mode = mode;
    button.title = `key ${i + 1}`;
    button.addEventListener("click", () => setMode(mode));
    by("modes").append(button);
  });
  options(by("zoom"), ["1/4", "1/2", "1", "2", "4", "8", "16", "32", "fit"], ["0.25", "0.5", "1", "2", "4", "8", "16", "32", "fit"]);
  by("zoom").value = "fit";
  for (const name of ["level", "layer", "slice", "sample"]) {
    by(name).addEventListener("change", () => {
      place[name] = by(name).selectedIndex;
      const depth = levelSize(loaded.result.image, place.level).depth;
      place.slice = Math.min(place.slice, depth - 1);
      draw();
      look(state.x, state.y);
    });
  }
  for (const name of ["zoom", "flip", "gain", "opaque"]) {
    by(name).addEventListener("change", () => { draw(); look(state.x, state.y); });
  }
  for (const name of ["low", "high"]) {
    by(name).addEventListener("change", () => {
      state.range = { low: Number(by("low").value), high: Number(by("high").value) };
      draw();
      look(state.x, state.y);
    });
  }
  by("fit-range").addEventListener("click", () => { setRange(rangeOfValues()); draw(); look(state.x, state.y); });
  by("wipe").addEventListener("input", () => wiped(by("stage")));
  by("only-differing").addEventListener("change", () => fillTable(loaded, by("only-differing").checked));
  const turn = BYTES_IN_ROW * ROWS_AT_ONCE;
  by("byte").addEventListener("change", () => showBytes(Number(by("byte").value)));
  by("previous-bytes").addEventListener("click", () => showBytes(Number(by("byte").value) - turn));
  by("next-bytes").addEventListener("click", () => showBytes(Number(by("byte").value) + turn));
  document.addEventListener("keydown", onKey);
}

wire();
showComparison(data.comparisons[Math.max(0, data.comparisons.findIndex((one) => one.verdict === "wrong"))]);
