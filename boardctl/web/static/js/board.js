// @ts-check
/** The board on the screen: wood, lights and pieces. It draws what it is told and knows no game. */

import { coordinates, FILES, SQUARES } from "./record.js";
import { pieceSvg } from "./pieces.js";

const CELL = 108;
const FRAME = 54;
const SIZE = 2 * FRAME + 9 * CELL;
const SVG = "http://www.w3.org/2000/svg";
/** Seconds in which a light comes near its new colour: hides that frames come at most 30 times a second. */
const GLOW_S = 0.05;
/** How a light fades from its middle: share of the radius, strength. */
const GLOW = [[0, 0.95], [0.4, 0.6], [0.7, 0.2], [1, 0]];

/** How dark the wood is around a full light. */
const WELL = 0.62;

/** A faint light in a dim hall looks brighter than the same colour on a screen: the exponent that makes up for it. */
const FAINT = 0.35;

/** @typedef {{id: string, square: string | null, x: number, y: number, state: string}} Drawn */

/** @param {string} square @returns {[number, number]} its centre in drawing units */
export function centre(square) {
  const [file, rank] = coordinates(square);
  return [FRAME + (file + 0.5) * CELL, FRAME + (8.5 - rank) * CELL];
}

/** @param {number} x @param {number} y drawing units @returns {string | null} the square there */
export function squareAt(x, y) {
  const file = Math.floor((x - FRAME) / CELL);
  const row = Math.floor((y - FRAME) / CELL);
  if (file < 0 || file > 8 || row < 0 || row > 8) return null;
  return FILES[file] + (9 - row);
}

/** @param {string} name @param {Record<string, string | number>} attributes @returns {SVGElement} */
function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** One light: where its colour is, and where it goes. */
class Lamp {
  /** @param {string} square @param {SVGElement} defs @param {SVGElement} layer @param {SVGElement} wells */
  constructor(square, defs, layer, wells) {
    const [x, y] = centre(square);
    this.gradient = element("radialGradient", { id: `lamp-${square}` });
    this.stops = GLOW.map(([offset, opacity]) => element("stop", { offset, "stop-opacity": opacity }));
    this.gradient.append(...this.stops);
    defs.append(this.gradient);
    this.glow = element("circle", { cx: x, cy: y, r: 98, fill: `url(#lamp-${square})`, visibility: "hidden" });
    this.pane = element("rect", { x: x - 47, y: y - 47, width: 94, height: 94, rx: 15, visibility: "hidden" });
    this.glow.classList.add("glow");
    this.pane.classList.add("pane");
    this.pane.dataset.light = square;
    layer.append(this.pane, this.glow);
    // Wood lit from below is dark beside its light: without the well colours would look chalky.
    this.well = element("rect", { x: x - 47, y: y - 47, width: 94, height: 94, rx: 15, opacity: 0 });
    wells.append(this.well);
    this.now = [0, 0, 0];
    this.goal = [0, 0, 0];
  }

  /** @param {string} colour `#rrggbb` */
  aim(colour) {
    this.goal = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    this.pane.dataset.colour = colour;
  }

  /** @param {number} share of the way to the goal @returns {boolean} whether it has arrived */
  step(share) {
    let arrived = true;
    this.now = this.now.map((value, n) => {
      const rest = this.goal[n] - value;
      if (Math.abs(rest) < 2) return this.goal[n];
      arrived = false;
      return value + rest * share;
    });
    const strength = Math.max(...this.now) / 255;
    this.well.setAttribute("opacity", (WELL * Math.sqrt(strength)).toFixed(3));
    const visible = strength > 0.01 ? "visible" : "hidden";
    const gain = strength > 0 ? strength ** -FAINT : 0;
    const colour = `rgb(${this.now.map((value) => Math.round(value * gain)).join(" ")})`;
    this.glow.setAttribute("visibility", visible);
    this.pane.setAttribute("visibility", visible);
    this.pane.setAttribute("fill", colour);
    for (const stop of this.stops) stop.setAttribute("stop-color", colour);
    return arrived;
  }
}

export class Board {
  /** @param {HTMLElement} place an empty element; becomes square */
  constructor(place) {
    place.classList.add("board");
    place.innerHTML = `<div class="wood"></div>
<svg class="marks" viewBox="0 0 ${SIZE} ${SIZE}" aria-hidden="true"></svg>
<svg class="wells" viewBox="0 0 ${SIZE} ${SIZE}" aria-hidden="true"></svg>
<svg class="lamps" viewBox="0 0 ${SIZE} ${SIZE}" aria-hidden="true"><defs></defs></svg>
<svg class="pieces" viewBox="0 0 ${SIZE} ${SIZE}" aria-hidden="true"><g class="labels"></g></svg>`;
    this.place = place;
    /** @param {string} name @returns {SVGElement} */
    const layer = (name) => /** @type {SVGElement} */ (place.querySelector(name));
    this.layer = layer;
    this.labels = "";
    this.marks = layer(".marks");
    this.surface = layer(".pieces");
    const lamps = layer(".lamps");
    const defs = layer(".lamps defs");
    this.lamps = new Map(SQUARES.map((square) => [square, new Lamp(square, defs, lamps, layer(".wells"))]));
    /** @type {Set<Lamp>} */
    this.moving = new Set();
    this.lastTick = 0;
    /** @type {Map<string, SVGElement>} */
    this.drawn = new Map();
    this.throne = "";
    this.lastMarks = "";
    this.#coordinates();
  }

  #coordinates() {
    const texts = [];
    for (let n = 0; n < 9; n++) {
      const along = FRAME + (n + 0.5) * CELL;
      texts.push(`<text x="${along}" y="${SIZE - 17}">${FILES[n]}</text><text x="${along}" y="37">${FILES[n]}</text>`);
      texts.push(`<text x="25" y="${along + 9}">${9 - n}</text><text x="${SIZE - 25}" y="${along + 9}">${9 - n}</text>`);
    }
    this.marks.innerHTML = `<g class="coordinates">${texts.join("")}</g><g class="throne"></g><g class="last"></g><g class="cursor"></g>`;
  }

  /** @param {boolean} there whether the centre is a throne in this game */
  setThrone(there) {
    const [x, y] = centre("e5");
    const mark = there
      ? `<rect x="${x - 47}" y="${y - 47}" width="94" height="94" rx="8"/><path d="M${x - 47} ${y - 47}l94 94m0-94l-94 94"/><circle cx="${x}" cy="${y}" r="31"/><circle cx="${x}" cy="${y}" r="20"/>`
      : "";
    if (mark !== this.throne) this.layer(".throne").innerHTML = this.throne = mark;
  }

  /** @param {string[]} squares of the last move */
  setLast(squares) {
    const marks = squares.map((square) => {
      const [x, y] = centre(square);
      return `<rect x="${x - 49}" y="${y - 49}" width="98" height="98" rx="15"/>`;
    });
    const text = marks.join("");
    if (text !== this.lastMarks) this.layer(".last").innerHTML = this.lastMarks = text;
  }

  /** @param {Map<string, string[]>} labels lines of text by square */
  setLabels(labels) {
    const texts = [...labels].map(([square, lines]) => {
      const [x, y] = centre(square);
      const spans = lines.map((line, n) => `<tspan x="${x}" y="${y + 7 + 22 * (n - (lines.length - 1) / 2)}">${line.replace(/[&<]/g, "")}</tspan>`);
      const size = Math.min(19, 165 / Math.max(...lines.map((line) => line.length)));
      return `<text font-size="${size.toFixed(1)}">${spans.join("")}</text>`;
    });
    const html = texts.join("");
    if (html !== this.labels) this.layer(".labels").innerHTML = this.labels = html;
  }

  /** @param {string | null} square where the keyboard is */
  setCursor(square) {
    const part = this.layer(".cursor");
    if (square === null) {
      part.innerHTML = "";
      return;
    }
    const [x, y] = centre(square);
    part.innerHTML = `<rect x="${x - 50}" y="${y - 50}" width="100" height="100" rx="16"/>`;
  }

  /** @param {Record<string, string>} lit colours by square; all others are dark */
  setLights(lit) {
    for (const [square, lamp] of this.lamps) {
      lamp.aim(lit[square] ?? "#000000");
      this.moving.add(lamp);
    }
    if (this.lastTick === 0) {
      this.lastTick = performance.now();
      requestAnimationFrame((now) => this.#glow(now));
    }
  }

  /** @param {number} now milliseconds */
  #glow(now) {
    const share = 1 - Math.exp(-Math.max(now - this.lastTick, 1) / 1000 / GLOW_S);
    this.lastTick = now;
    for (const lamp of this.moving) if (lamp.step(share)) this.moving.delete(lamp);
    if (this.moving.size > 0) requestAnimationFrame((next) => this.#glow(next));
    else this.lastTick = 0;
  }

  /** @param {Drawn[]} pieces everything to be seen @param {string} variant */
  setPieces(pieces, variant) {
    const gone = new Set(this.drawn.keys());
    for (const piece of pieces) {
      gone.delete(piece.id);
      const node = this.drawn.get(piece.id) ?? this.#newPiece(piece.id);
      if (node.dataset.variant !== variant) {
        node.dataset.variant = variant;
        node.innerHTML = `<g class="lift"><circle class="shade" cy="5" r="50" fill="url(#shadow)"/>${pieceSvg(piece.id[0] === "?" ? "?" : piece.id, variant)}</g>`;
      }
      node.dataset.square = piece.square ?? "";
      if (node.dataset.state !== piece.state) {
        node.dataset.state = piece.state;
        if (piece.state === "hand") this.surface.append(node);
      }
      node.style.transform = `translate(${piece.x}px,${piece.y}px)`;
    }
    for (const id of gone) this.#remove(id);
  }

  /** @param {string} id @returns {SVGElement} */
  #newPiece(id) {
    const node = element("g", { class: "piece" });
    node.dataset.id = id;
    this.drawn.set(id, node);
    this.surface.append(node);
    return node;
  }

  /** @param {string} id */
  #remove(id) {
    const node = this.drawn.get(id);
    this.drawn.delete(id);
    if (node === undefined) return;
    node.dataset.state = "gone";
    setTimeout(() => node.remove(), 400);
  }

  /** @param {{clientX: number, clientY: number}} event @returns {[number, number]} drawing units */
  pointOf(event) {
    const box = this.surface.getBoundingClientRect();
    const scale = SIZE / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }
}
