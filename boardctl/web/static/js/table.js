// @ts-check
/** Joins what the board process tells with the drawing: live, or at an earlier position of the game. */

import { centre } from "./board.js";
import { menuLabels } from "./menu.js";
import { closedOf, framesOf, kindOf, parsePly, standing } from "./record.js";

/** @typedef {import("./record.js").Snapshot} Snapshot */
/** @typedef {import("./record.js").Frame} Frame */
/** @typedef {import("./board.js").Drawn} Drawn */
/** @typedef {{id: string, x: number, y: number}} Held a piece in one of this browser's hands */

/** Readings in which the board is what the game says, so that nothing need be guessed. */
const SETTLED = new Set(["in-sync", "finished"]);

/** Readings in which the pieces of the game are not what the table is about. */
const BUSY_ELSEWHERE = new Set(["menu", "attract"]);

export class Table {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Snapshot | null} */
    this.snapshot = null;
    /** @type {Frame[]} */
    this.frames = [];
    /** Which pieces stand where now. @type {Map<string, string>} */
    this.standing = new Map();
    /** The number of the ply looked at; null: live. @type {number | null} */
    this.looking = null;
    /** Pieces in the hands of this browser, by pointer. @type {Map<number, Held>} */
    this.held = new Map();
    /** Squares whose switch has been told something that no snapshot shows yet. @type {Map<string, boolean>} */
    this.told = new Map();
    /** @type {Record<string, string>} */
    this.lit = {};
    /** @type {(() => void)[]} */
    this.listeners = [];
  }

  /** @returns {Frame} the game as it stands */
  get frame() {
    return this.frames[this.frames.length - 1] ?? { squares: new Map(), captured: [] };
  }

  /** @returns {number} the number of plies made */
  get plies() {
    return this.snapshot?.moves.length ?? 0;
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    const before = this.snapshot;
    this.snapshot = snapshot;
    this.frames = framesOf(snapshot);
    if (this.looking !== null && this.looking >= this.frames.length) this.looking = null;
    if (before !== null && before.variant !== snapshot.variant) this.looking = null;
    this.#stand(snapshot);
    this.board.setThrone(snapshot.variant === "linnaeus");
    this.draw();
    for (const listener of this.listeners) listener();
  }

  /** @param {Snapshot} snapshot */
  #stand(snapshot) {
    const closed = closedOf(snapshot);
    for (const [square, there] of this.told) {
      if (closed.has(square) === there) this.told.delete(square);
      else if (there) closed.add(square);
      else closed.delete(square);
    }
    // Nobody can see these squares: what the game says is the best guess.
    for (const square of snapshot.unknown) if (this.frame.squares.has(square)) closed.add(square);
    const settled = SETTLED.has(snapshot.reading) && this.held.size === 0 && this.told.size === 0;
    this.standing = standing(this.frame, closed, this.standing, settled);
  }

  /** @param {Record<string, string>} lit */
  light(lit) {
    this.lit = lit;
    if (this.looking === null) this.board.setLights(lit);
  }

  /** @param {number | null} ply 0 is the start; null is live */
  look(ply) {
    const last = this.frames.length - 1;
    this.looking = ply === null || ply >= last ? null : Math.max(0, ply);
    this.draw();
    for (const listener of this.listeners) listener();
  }

  draw() {
    const snapshot = this.snapshot;
    if (snapshot === null) return;
    const live = this.looking === null;
    this.board.setPieces(live ? this.#livePieces(snapshot) : this.#earlierPieces(), snapshot.variant);
    this.board.setLights(live ? this.lit : {});
    this.board.setLabels(live && snapshot.menu ? menuLabels(snapshot.menu.items, snapshot.variant) : new Map());
    const shown = this.looking ?? snapshot.moves.length;
    const last = shown > 0 && this.frames.length > 1 ? parsePly(snapshot.moves[shown - 1]) : null;
    this.board.setLast(last === null ? [] : [last.from, last.to]);
  }

  /** @returns {Drawn[]} */
  #earlierPieces() {
    return [...this.frames[this.looking ?? 0].squares].map(([square, id]) => at(id, square, "on"));
  }

  /** @param {Snapshot} snapshot @returns {Drawn[]} */
  #livePieces(snapshot) {
    const victims = new Set(snapshot.victims);
    const lifted = new Set(snapshot.lifted);
    const inHand = new Set([...this.held.values()].map((held) => held.id));
    /** @type {Drawn[]} */
    const drawn = [];
    const placed = new Set(inHand);
    for (const [square, id] of this.standing) {
      if (inHand.has(id)) continue;
      drawn.push(at(id === "?" ? `?${square}` : id, square, victims.has(square) ? "victim" : "on"));
      placed.add(id);
    }
    for (const [square, id] of this.frame.squares) {
      if (placed.has(id)) continue;
      if (lifted.has(square)) drawn.push(at(id, square, "air"));
      else if (!BUSY_ELSEWHERE.has(snapshot.reading)) drawn.push(at(id, square, "ghost"));
    }
    for (const held of this.held.values()) {
      drawn.push({ id: held.id, square: null, x: held.x, y: held.y, state: "hand" });
    }
    return drawn;
  }

  /** @returns {string[]} ids of the pieces that stand nowhere on the board */
  get offBoard() {
    const placed = new Set([...this.standing.values(), ...[...this.held.values()].map((held) => held.id)]);
    const start = this.frames[0];
    return start === undefined ? [] : [...start.squares.values()].filter((id) => !placed.has(id));
  }

  /** @param {string} side @returns {string[]} ids of the pieces of *side* taken up to the position shown */
  taken(side) {
    const frame = this.looking === null ? this.frame : this.frames[this.looking];
    return frame === undefined ? [] : frame.captured.filter((id) => (kindOf(id) === "t") === (side === "attackers"));
  }
}

/** @param {string} id @param {string} square @param {string} state @returns {Drawn} */
function at(id, square, state) {
  const [x, y] = centre(square);
  return { id, square, x, y, state };
}
