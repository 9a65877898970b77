// Draws what explorer.py sends. Everything happens in the page: no framework, no request,
// no kernel. Tokens become text nodes, never markup.

const WINDOW = 64; // tokens of a side that are drawn at once
const TERMS = 8; // keys that the sum of a row names
const BLUES = [
  [247, 251, 255], [222, 235, 247], [198, 219, 239], [158, 202, 225], [107, 174, 214],
  [66, 146, 198], [33, 113, 181], [8, 81, 156], [8, 48, 107],
]; // matplotlib's Blues
const NAN_GREY = [217, 217, 217];
let views = 0;

// ---------------------------------------------------------------- numbers

const TYPES = { f4: Float32Array, f8: Float64Array, u1: Uint8Array };

function readArray(model, name) {
  const about = model.get("_facts").arrays[name];
  if (!about) return null;
  const { buffer, byteOffset, byteLength } = model.get(name);
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
  return { shape: about.shape, values: new TYPES[about.type](bytes) };
}

// The last axis at [layer, head, i]; an axis of size 1 stands for all.
function row({ shape: [L, H, N, D], values }, layer, head, i) {
  const start = (((layer % L) * H + (head % H)) * N + (i % N)) * D;
  return values.subarray(start, start + D);
}

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
const times = (a, b) => Array.from(a, (x, i) => x * b[i]);
const dot = (a, b) => sum(times(a, b));
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

// Four decimals; small numbers to three digits; an exact 0 is "0".
function format(x) {
  if (Number.isNaN(x)) return "NaN";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size === Infinity ? "∞"
    : size >= 1e5 || size < 1e-4 ? size.toExponential(2)
    : size < 1e-3 ? size.toPrecision(3) : size.toFixed(4);
  return (x < 0 ? "−" : "") + text.replace("e-", "e−").replace("e+", "e");
}

// From q and k to the weight, and on to the output: in float64, from the tensors' numbers.
function arithmetic(data, layer, head, i, j) {
  const at = (array, n) => row(array, layer, head, n);
  const weights = at(data.weights, i);
  const q = at(data.q, i);
  const root = Math.sqrt(q.length);
  const mask = at(data.mask, i);
  const keys = Array.from(weights.keys());
  const allowed = keys.map((n) => mask[n % mask.length] > 0);
  const scores = keys.map((n) => dot(q, at(data.k, n)) / root);
  const largest = scores.reduce((m, s, n) => (allowed[n] && s > m ? s : m), -Infinity);
  const exps = scores.map((s, n) => (allowed[n] ? Math.exp(s - largest) : 0));
  const total = sum(exps);
  const output = new Array(data.v.shape[3]).fill(0);
  for (const n of keys) {
    if (weights[n] !== 0) at(data.v, n).forEach((x, c) => (output[c] += weights[n] * x));
  }
  const v = at(data.v, j);
  const part = Array.from(v, (x) => weights[j] * x);
  return {
    q, k: at(data.k, j), products: times(q, at(data.k, j)), root, scores, allowed, largest,
    exps, total, weights, weight: total > 0 ? exps[j] / total : 0, v, part, output,
    share: dot(part, output) / dot(output, output),
  };
}

// ---------------------------------------------------------------- page

// JupyterLab leaves the keys to a focused element that has this attribute itself.
const OWN_KEYS = "data-lm-suppress-shortcuts";

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  if ("tabindex" in attributes || tag === "button" || tag === "input") {
    node.setAttribute(OWN_KEYS, "true");
  }
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const aside = (...parts) => make("p", { class: "attx-aside" }, ...parts);

function blue(weight) {
  if (Number.isNaN(weight)) return NAN_GREY;
  const place = Math.min(255, Math.floor(clamp(weight, 0, 1) * 256)) / 255 * 8;
  const low = Math.min(7, Math.floor(place));
  return BLUES[low].map((c, i) => Math.round(c + (BLUES[low + 1][i] - c) * (place - low)));
}

// A canvas of columns × rows dots; weight(i, j) colours each.
function dots(canvas, rows, columns, weight) {
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns, rows);
  for (let i = 0, at = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++, at += 4) {
      image.data.set(blue(weight(i, j)), at);
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}

// A canvas as sharp as the screen; returns its context in CSS pixels.
function sized(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

function render({ model, el }) {
  const facts = model.get("_facts");
  const [layers, heads, nq, nk] = facts.sizes;
  const data = {
    weights: readArray(model, "_weights"),
    q: readArray(model, "_q"),
    k: readArray(model, "_k"),
    v: readArray(model, "_v"),
    mask: readArray(model, "_mask"),
  };
  const id = `attx-${++views}`;
  const texts = { q: facts.tokens, k: facts.key_tokens };
  const total = { q: facts.shown, k: nk };
  const count = { q: Math.min(WINDOW, total.q), k: Math.min(WINDOW, total.k) };
  const start = { q: 0, k: 0 }; // first token of the window
  const cursor = { q: 0, k: 0 }; // where the keyboard is
  let hot = {}; // what the pointer or the focus lights: a query q, a key k, or both
  let pitch = 20; // size of a cell
  const layer = () => model.get("layer");
  const head = () => model.get("head");
  const weightsOf = (i) => row(data.weights, layer(), head(), i);
  const name = (side, i) => `“${texts[side][i]}” (${i})`;
  const headName = () => (layers > 1 ? `Layer ${layer()}, head ${head()}` : `Head ${head()}`);
  const allowed = (i, j) => {
    if (!data.mask) return true;
    const mask = row(data.mask, layer(), head(), i);
    return mask[j % mask.length] > 0;
  };
  // The chosen weight; a query that the page does not hold counts as none.
  const picked = () => {
    const q = model.get("query");
    return q != null && q >= total.q ? {} : { q, k: model.get("key") };
  };
  const set = (values) => {
    for (const [key, value] of Object.entries(values)) model.set(key, value);
    model.save_changes();
  };

  const root = make("div", { class: "attx", [OWN_KEYS]: "true" });
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", `Attention explorer: ${facts.summary}`);
  const live = make("div", { class: "attx-hidden", "aria-live": "polite" });
  const readout = make("p", { class: "attx-readout" });
  const title = make("h3", { class: "attx-title" });
  root.append(
    make("header", { class: "attx-head" },
      make("strong", {}, "Attention explorer"), make("span", {}, facts.summary)),
    ...facts.notes.map((note) => make("p", { class: "attx-note" }, note)),
  );

  // ---- all heads, small
  const thumbs = [];
  const thumbSize = layers === 1 ? 60 : layers > 6 ? 32 : 44; // in pixels
  const block = { q: Math.ceil(total.q / thumbSize), k: Math.ceil(total.k / thumbSize) };
  if (layers * heads > 1) root.append(makeHeads());

  function makeHeads() {
    const grid = make("div", {
      class: `attx-heads${layers > 1 ? " attx-layers" : ""}`, role: "grid",
      "aria-label": "All heads. Arrow keys open another one.",
    });
    if (layers > 1) {
      const numbers = Array.from({ length: heads }, (_, h) => make("span", {}, String(h)));
      grid.append(make("div", { class: "attx-layer attx-numbers", "aria-hidden": "true" },
        make("span", {}, "head"), ...numbers));
    }
    for (let l = 0; l < layers; l++) {
      const line = make("div", { role: "row", class: "attx-layer" });
      if (layers > 1) line.append(make("span", { role: "rowheader" }, `layer ${l}`));
      for (let h = 0; h < heads; h++) {
        const canvas = make("canvas", { "aria-hidden": "true" });
        const label = layers > 1 ? `Layer ${l}, head ${h}` : `Head ${h}`;
        const button = make("div", {
          role: "gridcell", class: "attx-thumb", tabindex: -1, "aria-label": label, title: label,
        }, canvas);
        if (layers === 1) button.append(make("span", { "aria-hidden": "true" }, `head ${h}`));
        button.addEventListener("click", () => openHead(l, h));
        button.addEventListener("keydown", (event) => moveHead(event, l, h));
        thumbs.push({ button, canvas, l, h });
        line.append(button);
      }
      grid.append(line);
    }
    root.style.setProperty("--attx-thumb", `${thumbSize}px`);
    if (block.q * block.k === 1) return grid;
    const what = `Each dot of a small map is the largest of ${block.q} × ${block.k} weights.`;
    return make("div", {}, grid, aside(what));
  }

  function openHead(l, h) {
    set({ layer: l, head: h });
    thumbs[l * heads + h].button.focus({ preventScroll: true });
  }

  function moveHead(event, l, h) {
    const inRow = layers === 1;
    const moves = {
      ArrowLeft: [l, h - 1], ArrowRight: [l, h + 1],
      ArrowUp: inRow ? [l, h - 1] : [l - 1, h], ArrowDown: inRow ? [l, h + 1] : [l + 1, h],
      Home: [l, 0], End: [l, heads - 1], Enter: [l, h], " ": [l, h],
    };
    if (!moves[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [toLayer, toHead] = moves[event.key];
    openHead(clamp(toLayer, 0, layers - 1), clamp(toHead, 0, heads - 1));
  }

  // A dot of a small map is the largest of a block of weights. A few maps are drawn at a
  // time, so that the page never waits for them.
  function drawThumbs(from = 0) {
    for (const { canvas, l, h } of thumbs.slice(from, from + 24)) {
      dots(canvas, Math.ceil(total.q / block.q), Math.ceil(total.k / block.k), (i, j) => {
        let most = -Infinity;
        for (let a = i * block.q; a < Math.min(total.q, (i + 1) * block.q); a++) {
          const weights = row(data.weights, l, h, a);
          for (let b = j * block.k; b < Math.min(total.k, (j + 1) * block.k); b++) {
            if (!(weights[b] <= most)) most = weights[b];
          }
        }
        return most;
      });
    }
    if (from + 24 < thumbs.length) requestAnimationFrame(() => drawThumbs(from + 24));
  }

  // ---- the window on a long sequence
  const windows = {};
  if (facts.left_out || count.q < total.q || count.k < total.k) root.append(makeWindow());

  function makeWindow() {
    const box = make("div", { class: "attx-window" });
    if (facts.left_out) box.append(make("p", { class: "attx-note" }, facts.left_out));
    const long = ["q", "k"].filter((side) => count[side] < total[side]);
    if (!long.length) return box;
    const sides = { q: "query tokens", k: "key tokens" };
    const many = long.map((side) => `${total[side]} ${sides[side]}`).join(" and ");
    box.append(make("p", { class: "attx-note" },
      `${many} are too many to draw at once: the large map and the arcs show ${WINDOW} of `
      + "them at a time. The sliders, and the arrow keys at an edge, show the others."));
    for (const side of long) {
      const input = make("input", {
        type: "range", min: 0, max: total[side] - count[side], value: 0,
        "aria-label": `First of the ${sides[side]} shown`,
      });
      const text = make("span");
      input.addEventListener("input", () => moveWindow({ [side]: Number(input.value) }));
      windows[side] = { input, text };
      box.append(make("label", {}, text, input));
    }
    return box;
  }

  function moveWindow(to) {
    for (const side of ["q", "k"]) {
      const most = total[side] - count[side];
      start[side] = clamp(to[side] ?? start[side], 0, most);
      cursor[side] = clamp(cursor[side], start[side], start[side] + count[side] - 1);
    }
    hot = {};
    layout();
  }

  function bringIntoView(side, i) {
    if (i < start[side]) moveWindow({ [side]: i });
    else if (i >= start[side] + count[side]) moveWindow({ [side]: i - count[side] + 1 });
  }

  // ---- the open head, large
  const map = make("canvas", { "aria-hidden": "true" });
  const band = { q: make("div", { class: "attx-band" }), k: make("div", { class: "attx-band" }) };
  const chosen = make("div", { class: "attx-chosen" });
  const cell = make("div", { role: "gridcell", id: `${id}-cell`, class: "attx-cursor" });
  const line = make("div", { role: "row" }, cell);
  const grid = make("div", {
    class: "attx-grid", role: "grid", tabindex: 0, "aria-rowcount": nq, "aria-colcount": nk,
    "aria-activedescendant": `${id}-cell`,
  }, map, band.q, band.k, chosen, line);
  const ticks = { q: make("div", { "aria-hidden": "true" }), k: make("div", { "aria-hidden": "true" }) };
  const board = make("div", { class: "attx-board" }, ticks.q, grid, ticks.k);
  const scale = make("span", { class: "attx-scale", "aria-label": "colours: 0 white, 1 dark blue" },
    "0", make("i"), "1");
  const mapText = make("span");
  const mapTitle = make("figcaption", {}, mapText, scale);

  // ---- the same as arcs
  const curves = make("canvas", { "aria-hidden": "true" });
  const lists = { q: makeList("q", "Queries"), k: makeList("k", "Keys") };
  const arcs = make("div", { class: "attx-arcs" }, lists.q, curves, lists.k);
  const arcsTitle = make("figcaption", {}, make("span", {}, "queries left, keys right"));
  root.append(title, make("div", { class: "attx-main" },
    make("figure", {}, mapTitle, board), make("figure", {}, arcsTitle, arcs)), readout);

  // ---- the arithmetic
  const panel = make("section", {
    class: "attx-panel", role: "region", "aria-label": "Arithmetic of the chosen weight",
  });
  panel.hidden = true;
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    close();
    grid.focus();
  });
  root.append(panel, live);
  el.append(root);

  function makeList(side, label) {
    const list = make("div", {
      class: `attx-list attx-list-${side}`, role: "listbox", tabindex: 0,
      "aria-label": `${label}. Arrow keys move, Enter opens the largest weight.`,
    });
    list.addEventListener("keydown", (event) => moveInList(event, side));
    list.addEventListener("focus", () => light({ [side]: cursor[side] }, true));
    list.addEventListener("blur", () => light({}));
    list.addEventListener("pointerleave", () => light({}));
    return list;
  }

  // ---- layout: sizes, labels, canvases
  function layout() {
    if (!root.clientWidth) return;
    const width = root.clientWidth - 36; // inside of all paddings
    const context = map.getContext("2d");
    context.font = `12px ${getComputedStyle(root).fontFamily}`;
    const room = {};
    for (const side of ["q", "k"]) {
      const shown = texts[side].slice(start[side], start[side] + count[side]);
      const widest = Math.max(...shown.map((text) => context.measureText(text).width));
      room[side] = Math.ceil(clamp(widest + 8, 20, 104));
    }
    const both = room.q + room.k;
    const beside = width >= 600;
    const free = width - room.q - 6 - (beside ? both + 130 + 36 : 0);
    pitch = clamp(Math.floor(Math.min(free / count.k, 440 / count.q)), 7, 34);
    const size = { q: count.q * pitch, k: count.k * pitch };
    const rest = beside ? width - size.k - room.q - 42 - both : width - both - 8;
    const curve = clamp(Math.floor(rest), 90, 300);

    const sign = data.mask?.values.includes(0) ? `; ${pitch < 12 ? "grey" : "stroke"} = forbidden` : "";
    mapText.textContent = `queries down, keys across${sign}`;
    root.style.setProperty("--attx-font", pitch >= 15 ? "12px" : pitch >= 13 ? "11px" : "10px");
    board.style.gridTemplateColumns = `${room.q}px ${size.k}px`;
    board.style.gridTemplateRows = `${size.q}px ${room.k}px`;
    arcs.style.gridTemplateColumns = `${room.q}px ${curve}px ${room.k}px`;
    for (const side of ["q", "k"]) {
      fill(ticks[side], side, size.k);
      fillList(side);
      if (!windows[side]) continue;
      const [first, last] = [start[side], start[side] + count[side] - 1];
      const what = side === "q" ? "queries" : "keys";
      windows[side].text.textContent = `${what} ${first} to ${last} of ${total[side]}`;
      windows[side].input.value = first;
      windows[side].input.setAttribute("aria-valuetext", `${what} ${first} to ${last}`);
    }
    sized(map, size.k, size.q);
    sized(curves, curve, Math.max(size.q, size.k));
    draw();
  }

  const thinned = (i) => i % Math.ceil(11 / pitch) !== 0;

  function fill(box, side, width) {
    const labels = texts[side].slice(start[side], start[side] + count[side]).map((text, n) => {
      const label = make("span", { dir: "auto", title: text }, text);
      const middle = `${(n + 0.5) * pitch}px`;
      if (side === "q") label.style.top = middle;
      else label.style.right = `${width - (n + 0.5) * pitch}px`;
      label.classList.toggle("attx-thin", thinned(n));
      label.addEventListener("pointerenter", () => light({ [side]: start[side] + n }));
      label.addEventListener("pointerleave", () => light({}));
      return label;
    });
    box.replaceChildren(...labels);
    box.className = `attx-ticks attx-ticks-${side}`;
  }

  function fillList(side) {
    const labels = texts[side].slice(start[side], start[side] + count[side]).map((text, n) => {
      const i = start[side] + n;
      const option = make("div", {
        role: "option", id: `${id}-${side}${i}`, "aria-label": name(side, i), "aria-selected": "false",
      }, make("span", { dir: "auto", title: text }, text));
      option.style.height = `${pitch}px`;
      option.classList.toggle("attx-thin", thinned(n));
      option.addEventListener("pointerenter", () => light({ [side]: i }));
      option.addEventListener("click", () => {
        cursor[side] = i;
        light({ [side]: i }, true);
      });
      return option;
    });
    lists[side].replaceChildren(...labels);
  }

  // ---- drawing the open head
  function draw() {
    title.textContent = headName();
    for (const { button, l, h } of thumbs) {
      const open = l === layer() && h === head();
      button.setAttribute("aria-selected", open);
      button.tabIndex = open ? 0 : -1;
    }
    grid.setAttribute("aria-label",
      `Weights of ${headName()}, queries down, keys across. Arrow keys move, Enter shows the `
      + "arithmetic.");
    drawMap();
    drawHot();
    drawChosen();
  }

  function drawMap() {
    const small = document.createElement("canvas");
    dots(small, count.q, count.k, (i, j) => weightsOf(start.q + i)[start.k + j]);
    const [width, height] = [count.k * pitch, count.q * pitch];
    const context = sized(map, width, height);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, width, height);
    if (data.mask) drawForbidden(context);
    if (pitch < 12) return;
    context.fillStyle = "#fff";
    for (let i = 1; i < count.q; i++) context.fillRect(0, i * pitch - 0.5, width, 1);
    for (let j = 1; j < count.k; j++) context.fillRect(j * pitch - 0.5, 0, 1, height);
  }

  // What the mask forbids has a fine stroke, or is grey: not a weight that is nearly 0.
  function drawForbidden(context) {
    context.strokeStyle = "#b9c3ce";
    context.fillStyle = "#e8ebee";
    context.beginPath();
    for (let i = 0; i < count.q; i++) {
      for (let j = 0; j < count.k; j++) {
        if (allowed(start.q + i, start.k + j)) continue;
        if (pitch < 12) context.fillRect(j * pitch, i * pitch, pitch, pitch);
        context.moveTo((j + 0.3) * pitch, (i + 0.7) * pitch);
        context.lineTo((j + 0.7) * pitch, (i + 0.3) * pitch);
      }
    }
    if (pitch >= 12) context.stroke();
  }

  function drawCurves(q, k) {
    const width = curves.clientWidth || parseFloat(curves.style.width);
    const height = Math.max(count.q, count.k) * pitch;
    const context = sized(curves, width, height);
    const style = getComputedStyle(root);
    const colour = ["--attx-arc", "--attx-lit", "--attx-focus"].map((c) => style.getPropertyValue(c));
    const some = q != null || k != null;
    const levelOf = (i, j) => {
      if (q == null) return Number(j === k);
      return i !== q ? 0 : j === k ? 2 : 1; // of a lit cell the whole row is lit too
    };
    for (const level of some ? [0, 1, 2] : [0]) {
      context.strokeStyle = colour[level];
      for (let i = start.q; i < start.q + count.q; i++) {
        const weights = weightsOf(i);
        for (let j = start.k; j < start.k + count.k; j++) {
          const least = level === 2 ? 0 : 0.01;
          if (!(weights[j] > least) || levelOf(i, j) !== level) continue;
          const weight = Math.min(1, weights[j]);
          context.globalAlpha = [weight * (some ? 0.2 : 1), weight, Math.max(weight, 0.4)][level];
          context.lineWidth = 0.75 + Math.min(3.25, pitch / 4) * weight;
          const [from, to] = [(i - start.q + 0.5) * pitch, (j - start.k + 0.5) * pitch];
          context.beginPath();
          context.moveTo(2, from);
          context.bezierCurveTo(width * 0.45, from, width * 0.55, to, width - 2, to);
          context.stroke();
        }
      }
    }
    context.globalAlpha = 1;
  }

  // ---- what is lit: by the pointer, the focus, or else the chosen weight
  function light(what, aloud = false) {
    hot = what;
    drawHot();
    if (aloud) live.textContent = readout.textContent;
  }

  function drawHot() {
    const lit = hot.q == null && hot.k == null ? picked() : hot;
    const { q, k } = lit;
    for (const side of ["q", "k"]) {
      const place = lit[side] == null ? -1 : lit[side] - start[side];
      const inside = place >= 0 && place < count[side];
      band[side].hidden = !inside || (side === "k" && q != null);
      band[side].style.cssText = side === "q"
        ? `left:0;right:0;top:${place * pitch}px;height:${pitch}px`
        : `top:0;bottom:0;left:${place * pitch}px;width:${pitch}px`;
      for (const box of [ticks[side], lists[side]]) {
        [...box.children].forEach((node, n) => {
          node.classList.toggle("attx-lit", n === place);
          const near = inside && n !== place && Math.abs(n - place) * pitch < 11;
          node.classList.toggle("attx-near", near); // it makes room for the lit one
        });
      }
      [...lists[side].children].forEach((node, n) =>
        node.setAttribute("aria-selected", inside && n === place));
      const at = lists[side].children[cursor[side] - start[side]];
      if (at) lists[side].setAttribute("aria-activedescendant", at.id);
    }
    drawCursor();
    drawCurves(q, k);
    readout.textContent = describe(q, k);
  }

  function drawCursor() {
    const [i, j] = [cursor.q - start.q, cursor.k - start.k];
    cell.style.cssText = `left:${j * pitch}px;top:${i * pitch}px;width:${pitch}px;height:${pitch}px`;
    cell.setAttribute("aria-colindex", cursor.k + 1);
    line.setAttribute("aria-rowindex", cursor.q + 1);
    cell.setAttribute("aria-label", describe(cursor.q, cursor.k));
  }

  function describe(q, k) {
    if (q == null && k == null) {
      return "Point at a token or a cell. A click, or Enter, opens the arithmetic of a weight.";
    }
    if (q != null && k != null) {
      const forbidden = allowed(q, k) ? "" : ", forbidden by the mask";
      return `${name("q", q)} attends to ${name("k", k)}: weight ${format(weightsOf(q)[k])}${forbidden}.`;
    }
    if (q == null) {
      const column = Array.from({ length: total.q }, (_, i) => weightsOf(i)[k]);
      return `${name("k", k)} is attended to most by ${largest(column, "q")}.`;
    }
    const weights = Array.from(weightsOf(q));
    if (weights.some(Number.isNaN)) return `${name("q", q)}: this row holds NaN.`;
    const all = sum(weights);
    if (all === 0) return `${name("q", q)} attends to no key: its weights are all 0.`;
    const inside = sum(weights.slice(start.k, start.k + count.k));
    const outside = count.k < total.k ? ` Outside the keys shown: ${format(all - inside)}.` : "";
    return `${name("q", q)} attends most to ${largest(weights, "k")}. Its weights sum to `
      + `${format(all)}.${outside}`;
  }

  function largest(weights, side) {
    const order = weights.map((_, i) => i).filter((i) => weights[i] > 0)
      .sort((a, b) => weights[b] - weights[a]);
    return order.slice(0, 3).map((i) => `${name(side, i)} ${format(weights[i])}`).join(", ")
      || "nothing";
  }

  // ---- pointer and keyboard on the large map
  const cellAt = (event) => {
    const box = map.getBoundingClientRect();
    return {
      q: start.q + clamp(Math.floor((event.clientY - box.top) / pitch), 0, count.q - 1),
      k: start.k + clamp(Math.floor((event.clientX - box.left) / pitch), 0, count.k - 1),
    };
  };
  grid.addEventListener("pointermove", (event) => {
    const at = cellAt(event);
    if (at.q !== hot.q || at.k !== hot.k) light(at);
  });
  grid.addEventListener("pointerleave", () => light({}));
  grid.addEventListener("click", (event) => {
    Object.assign(cursor, cellAt(event));
    grid.focus({ preventScroll: true });
    choose(cursor.q, cursor.k);
  });
  grid.addEventListener("focus", () => {
    if (grid.matches(":focus-visible")) light({ ...cursor }, true);
  });
  grid.addEventListener("blur", () => light({}));
  grid.addEventListener("keydown", (event) => {
    const { q, k } = cursor;
    const far = event.ctrlKey || event.metaKey;
    const [lastQ, lastK] = [total.q - 1, total.k - 1];
    const moves = {
      ArrowUp: { q: q - 1 }, ArrowDown: { q: q + 1 },
      ArrowLeft: { k: k - 1 }, ArrowRight: { k: k + 1 },
      PageUp: { q: q - 8 }, PageDown: { q: q + 8 },
      Home: far ? { q: 0, k: 0 } : { k: 0 }, End: far ? { q: lastQ, k: lastK } : { k: lastK },
    };
    if (moves[event.key] && !event.altKey) {
      cursor.q = clamp(moves[event.key].q ?? q, 0, lastQ);
      cursor.k = clamp(moves[event.key].k ?? k, 0, lastK);
      bringIntoView("q", cursor.q);
      bringIntoView("k", cursor.k);
      light({ ...cursor }, true);
    } else if (event.key === "Enter" || event.key === " ") choose(q, k);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });

  function moveInList(event, side) {
    const moves = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity };
    const i = cursor[side];
    if (event.key in moves) {
      cursor[side] = clamp(i + moves[event.key], 0, total[side] - 1);
      bringIntoView(side, cursor[side]);
      light({ [side]: cursor[side] }, true);
    } else if (event.key === "Enter" || event.key === " ") {
      const other = side === "q" ? "k" : "q";
      const weights = side === "q" ? Array.from(weightsOf(i))
        : Array.from({ length: total.q }, (_, n) => weightsOf(n)[i]);
      cursor[other] = weights.reduce((best, w, n) => (w > weights[best] ? n : best), 0);
      bringIntoView(other, cursor[other]);
      choose(cursor.q, cursor.k);
    } else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  }

  const choose = (q, k) => set({ query: q, key: k });
  const close = () => set({ query: null, key: null });

  // ---- the panel
  const number = (what, x) => make("b", { "data-number": what }, format(x));
  const step = (label, ...content) =>
    make("div", { class: "attx-step" }, make("dt", {}, label), make("dd", {}, ...content));

  // One tile per component, with its numbers below each other, as one adds up on paper.
  function tiles(what, lines) {
    const box = make("ol", { class: "attx-tiles", tabindex: 0, "aria-label": what });
    for (let c = 0; c < lines[0].numbers.length; c++) {
      const spoken = lines.map(({ label, numbers }) => `${label} ${format(numbers[c])}`).join(", ");
      const tile = make("li", { "aria-label": `component ${c}: ${spoken}` },
        make("small", { "aria-hidden": "true" }, String(c)));
      for (const { sign, kind, numbers } of lines) {
        tile.append(make("span", { class: `attx-${kind}`, "aria-hidden": "true" },
          make("i", {}, sign), make("b", { "data-number": kind }, format(numbers[c]))));
      }
      box.append(tile);
    }
    return box;
  }

  let written = ""; // which weight the panel shows

  function drawChosen() {
    const { q, k } = picked();
    const inside = q != null && k != null && q >= start.q && q < start.q + count.q && k >= start.k && k < start.k + count.k;
    chosen.hidden = !inside;
    if (inside) {
      chosen.style.cssText = `left:${(k - start.k) * pitch}px;top:${(q - start.q) * pitch}px;`
        + `width:${pitch}px;height:${pitch}px`;
    }
    panel.hidden = q == null || k == null;
    const now = panel.hidden ? "" : [layer(), head(), q, k].join();
    if (now === written) return;
    written = now;
    const hadFocus = panel.contains(document.activeElement);
    panel.replaceChildren();
    if (panel.hidden) return;
    const shut = make("button", { class: "attx-close", "aria-label": "Close the arithmetic" }, "×");
    shut.addEventListener("click", () => {
      close();
      grid.focus({ preventScroll: true });
    });
    const heading = make("h4", {},
      make("span", { class: "attx-q" }, name("q", q)), " asks ",
      make("span", { class: "attx-k" }, name("k", k)), ", weight ",
      number("weight", weightsOf(q)[k]));
    panel.append(shut, heading, data.q ? steps(q, k) : onlyWeights(q, k));
    if (hadFocus) shut.focus({ preventScroll: true });
    live.textContent = `Arithmetic of ${describe(q, k)}`;
  }

  function onlyWeights(q, k) {
    const weights = weightsOf(q);
    const rank = 1 + weights.reduce((n, w) => n + (w > weights[k]), 0);
    return make("p", {},
      `Its rank in the row is ${rank} of ${nk}. The row sums to `, number("row-sum", sum(weights)),
      ". Only weights were given, so there is no q, k or v behind them. ",
      make("code", {}, "AttentionExplorer.from_qkv(Q, K, V, tokens)"), " or ",
      make("code", {}, "AttentionExplorer.from_module(mha, x, tokens=tokens)"),
      " shows the arithmetic.");
  }

  function steps(q, k) {
    const a = arithmetic(data, layer(), head(), q, k);
    const score = a.scores[k];
    const list = make("dl", { class: "attx-steps" });
    list.append(
      step("compare", aside(`q of ${name("q", q)} × k of ${name("k", k)}, component by component`),
        tiles("q times k, component by component", [
        { label: "q", sign: "", kind: "q", numbers: a.q },
        { label: "times k", sign: "×", kind: "k", numbers: a.k },
        { label: "is", sign: "=", kind: "product", numbers: a.products },
      ])),
      step("add up", "q · k = ", number("dot", sum(a.products))),
      step("scale", "÷ √d_k = ÷ √", String(a.q.length), " = ÷ ", number("root", a.root),
        ", score ", number("score", score)),
      step("mask", a.allowed[k] ? "allowed: the score stays"
        : "forbidden: the score becomes −∞, its exponential is exactly 0"),
    );
    if (a.total > 0) {
      const top = a.scores.findIndex((s, n) => a.allowed[n] && s === a.largest);
      list.append(
        step("exponential",
          ...(a.allowed[k]
            ? ["exp(score − largest) = exp(", number("score-again", score), " − ",
              number("largest", a.largest), ") = "]
            : ["exp(−∞) = "]),
          number("exp", a.exps[k]),
          aside(`The row's largest score, that of ${name("k", top)}, is subtracted from every `
            + "score first. It cancels in the division and keeps the exponential from overflowing.")),
        step("the row's sum", terms(a, k)),
        step("divide", number("exp-again", a.exps[k]), " ÷ ", number("total-again", a.total),
          " = weight ", number("quotient", weightsOf(q)[k]), rounding(a, k)),
      );
    } else {
      list.append(step("exponential",
        "No key is allowed in this row, so there is nothing to share out: weights and output are "
        + "exactly 0. The weight is ", number("quotient", weightsOf(q)[k]), "."));
    }
    list.append(
      step("carry", aside(`v of ${name("k", k)} × the weight = its part of the output, out`),
        tiles("the weighted value, component by component, and the whole output", [
        { label: "v", sign: "", kind: "v", numbers: a.v },
        { label: "times the weight", sign: "×", kind: "w", numbers: Array(a.v.length).fill(a.weights[k]) },
        { label: "is", sign: "=", kind: "part", numbers: a.part },
        { label: "of the output", sign: "out", kind: "output", numbers: a.output },
      ])),
      step("its share", ...share(a)),
    );
    return list;
  }

  function share(a) {
    if (!(dot(a.output, a.output) > 0)) return ["The output of this row is 0, so there is nothing to share."];
    return [
      number("share", a.share), " of the output",
      aside("(part · output) ÷ (output · output): how far this part goes in the direction of the "
        + "output. The shares of a row sum to 1; a part that points the other way has a negative "
        + "one."),
    ];
  }

  function rounding(a, k) {
    const drawn = a.weights[k];
    if (Math.abs(drawn - a.weight) < 5e-5) return "";
    return aside("The division in float64 gives ", number("float64", a.weight),
      "; the tensor was computed in a coarser type, and holds the number above.");
  }

  // The terms of the row's sum: the largest ones, and always the chosen one.
  function terms(a, k) {
    const free = Array.from(a.exps.keys()).filter((n) => a.allowed[n]);
    const named = [...free].sort((x, y) => a.exps[y] - a.exps[x] || x - y).slice(0, TERMS);
    if (!named.includes(k)) named.splice(TERMS - 1, 1, k);
    named.sort((x, y) => x - y);
    const body = make("tbody");
    for (const n of named) {
      const bar = make("i");
      bar.style.width = `${100 * clamp(a.exps[n], 0, 1)}%`;
      body.append(make("tr", { class: n === k ? "attx-here" : "" },
        make("th", { scope: "row", dir: "auto" }, name("k", n)),
        make("td", {}, a.allowed[n] ? format(a.scores[n]) : "−∞"),
        make("td", {}, number("term", a.exps[n])),
        make("td", { class: "attx-bar", "aria-hidden": "true" }, bar)));
    }
    const others = free.filter((n) => !named.includes(n));
    const forbidden = a.exps.length - free.length - Number(!a.allowed[k]);
    const more = [
      [others.length, "other key", sum(others.map((n) => a.exps[n]))],
      [forbidden, "forbidden key", 0],
    ];
    for (const [many, what, exp] of more) {
      if (!many) continue;
      body.append(make("tr", {},
        make("th", { scope: "row" }, `${many} ${what}${many === 1 ? "" : "s"}`),
        make("td"), make("td", {}, number("term", exp)), make("td")));
    }
    const headings = ["key", "score", "exp", ""].map((t) => make("th", { scope: "col" }, t));
    return make("table", {}, make("thead", {}, make("tr", {}, ...headings)), body,
      make("tfoot", {}, make("tr", {}, make("th", { scope: "row" }, "sum"), make("td"),
        make("td", {}, number("total", a.total)), make("td"))));
  }

  // ---- what may change from outside
  const soon = (act) => {
    let waiting = false; // query and key change one after the other: act once
    return () => {
      if (!waiting) queueMicrotask(() => { waiting = false; act(); });
      waiting = true;
    };
  };
  const showHead = soon(draw);
  const showChosen = soon(() => {
    for (const [side, i] of Object.entries(picked())) {
      if (i != null) bringIntoView(side, (cursor[side] = i));
    }
    draw();
  });
  const events = [["layer", showHead], ["head", showHead], ["query", showChosen], ["key", showChosen]];
  events.forEach(([trait, act]) => model.on(`change:${trait}`, act));
  let seen = 0;
  const resized = new ResizeObserver(() => {
    if (root.clientWidth !== seen) layout();
    seen = root.clientWidth;
  });
  resized.observe(root);
  const themed = new MutationObserver(() => drawHot());
  themed.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  drawThumbs();
  showChosen();
  return () => {
    events.forEach(([trait, act]) => model.off(`change:${trait}`, act));
    resized.disconnect();
    themed.disconnect();
  };
}

export default { render };
