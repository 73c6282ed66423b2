// @ts-check
/** The record of a game as the snapshot tells it, and where its pieces are. No rules are known here. */

/** @typedef {"t" | "T" | "K"} Kind attacker, defender, king, as in a position record */
/** @typedef {{from: string, to: string, captures: string[]}} Ply */
/** @typedef {{squares: Map<string, string>, captured: string[]}} Frame piece ids by square; ids that have left */
/** @typedef {{outcome: null | {winner: string | null, result: string, reason: string}}} HasOutcome */
/** @typedef {{version: number, variant: string, options: Record<string, string>, position: string, side: string | null,
 *   moves: string[], reading: string, lifted: string[], targets: string[], victims: string[], missing: string[], extra: string[],
 *   unknown: string[], call: string | null, open_paths: string[], fault: null | {reason: string, squares: string[]}, cells?: string, start?: string,
 *   menu?: null | {items: import("./menu.js").Item[]}, lesson?: null | {number: number, name: string, step: string}, work?: null | {kind: "self-test" | "calibration", working: boolean}} & HasOutcome} Snapshot */

export const FILES = "abcdefghi";

/** All squares, a1 first, as the lights count them. */
export const SQUARES = Array.from({ length: 81 }, (_, n) => FILES[n % 9] + (Math.floor(n / 9) + 1));

/** @param {string} square @returns {[number, number]} file and rank, 0..8 */
export function coordinates(square) {
  return [FILES.indexOf(square[0]), Number(square[1]) - 1];
}

/** @param {string} record an OpenTafl position record, rank 1 first @returns {Map<string, Kind>} */
export function parsePosition(record) {
  const pieces = new Map();
  record.split("/").filter((row) => row !== "").forEach((row, rank) => {
    let file = 0;
    for (const sign of row) {
      if (sign >= "1" && sign <= "9") file += Number(sign);
      else pieces.set(FILES[file++] + (rank + 1), sign);
    }
  });
  return pieces;
}

/** @param {Map<string, string>} pieces kinds by square @returns {string} */
export function formatPosition(pieces) {
  let text = "/";
  for (let rank = 1; rank <= 9; rank++) {
    let empty = 0;
    for (const file of FILES) {
      const kind = pieces.get(file + rank);
      if (kind === undefined) empty++;
      else {
        text += (empty || "") + kind;
        empty = 0;
      }
    }
    text += (empty || "") + "/";
  }
  return text;
}

/** @param {string} text `a5-d5xd6/e5` @returns {Ply} */
export function parsePly(text) {
  const [path, taken] = text.split("x");
  const [from, to] = path.split("-");
  return { from, to, captures: taken ? taken.split("/") : [] };
}

/** @param {string} cells 81 bits as a hexadecimal number @returns {Set<string>} the squares whose bit is set */
export function parseCells(cells) {
  const bits = BigInt("0x" + cells);
  return new Set(SQUARES.filter((_, n) => (bits >> BigInt(n)) & 1n));
}

/**
 * Play a game backwards from its position; the start need not be the usual one.
 * @param {Map<string, Kind>} end @param {Ply[]} plies @param {string} [king] where the taken king stood
 * @returns {Map<string, Kind> | null} null: position and plies do not belong together
 */
function rewind(end, plies, king) {
  const pieces = new Map(end);
  for (const ply of [...plies].reverse()) {
    const kind = pieces.get(ply.to);
    if (kind === undefined || pieces.has(ply.from)) return null;
    pieces.delete(ply.to);
    pieces.set(ply.from, kind);
    for (const square of ply.captures) pieces.set(square, kind === "t" ? "T" : "t");
    if (ply === plies[plies.length - 1] && king !== undefined) pieces.set(king, "K");
  }
  return pieces;
}

/**
 * @param {Map<string, Kind>} end @param {Ply[]} plies
 * @returns {Map<string, Kind>} the start, or the end itself where the record does not lead to it
 */
function startOf(end, plies) {
  const last = plies[plies.length - 1];
  const kingTaken = last !== undefined && last.captures.length > 0 && ![...end.values()].includes("K");
  const candidates = kingTaken ? last.captures : [undefined];
  const starts = candidates.map((king) => rewind(end, plies, king)).filter((start) => start !== null);
  return starts.find((start) => start.get("e5") === "K") ?? starts[0] ?? end;
}

/**
 * Every position of the game, the start first. A piece's id is its kind and the square it started on, so that it
 * stays the same thing on the screen through revisions, take-backs and the next game.
 * @param {Snapshot} snapshot @returns {Frame[]}
 */
export function framesOf(snapshot) {
  const end = parsePosition(snapshot.position);
  const plies = snapshot.moves.map(parsePly);
  const start = snapshot.start === undefined ? startOf(end, plies) : parsePosition(snapshot.start);
  /** @type {Frame} */
  let frame = { squares: new Map([...start].map(([square, kind]) => [square, kind + square])), captured: [] };
  const frames = [frame];
  if (start === end) return frames;
  for (const ply of plies) {
    const squares = new Map(frame.squares);
    squares.set(ply.to, squares.get(ply.from) ?? "?");
    squares.delete(ply.from);
    const taken = ply.captures.map((square) => squares.get(square) ?? "?");
    ply.captures.forEach((square) => squares.delete(square));
    frame = { squares, captured: [...frame.captured, ...taken] };
    frames.push(frame);
  }
  return frames;
}

/** @param {string} id @returns {Kind} */
export function kindOf(id) {
  return /** @type {Kind} */ (id[0]);
}

/** @param {string} id @returns {"north" | "east" | "south" | "west"} the group a piece started in */
export function groupOf(id) {
  const [file, rank] = coordinates(id.slice(1));
  const [right, up] = [file - 4, rank - 4];
  if (Math.abs(up) > Math.abs(right)) return up > 0 ? "north" : "south";
  return right > 0 ? "east" : "west";
}

/** @param {string} a @param {string} b @returns {number} */
function distance(a, b) {
  const [fileA, rankA] = coordinates(a);
  const [fileB, rankB] = coordinates(b);
  return Math.abs(fileA - fileB) + Math.abs(rankA - rankB);
}

/**
 * Which piece stands where on the wood. Switches feel that a piece is there, not which: what the game says comes
 * first, then what stood there before, then the nearest piece that has no place.
 * @param {Frame} frame what the game says
 * @param {Set<string>} closed squares where a piece is felt
 * @param {Map<string, string>} before the last answer
 * @param {boolean} settled board and game agree: the game's word is the truth
 * @returns {Map<string, string>} piece ids by square; "?" is a piece that the game does not know
 */
export function standing(frame, closed, before, settled) {
  const known = new Set([...frame.squares.values(), ...frame.captured]);
  /** @type {Map<string, string>} */
  const placed = new Map();
  const used = new Set();
  /** @param {Map<string, string>} source */
  const take = (source) => {
    for (const [square, id] of source) {
      if (!closed.has(square) || placed.has(square) || used.has(id) || !known.has(id)) continue;
      placed.set(square, id);
      used.add(id);
    }
  };
  if (!settled) take(before);
  take(frame.squares);
  const homes = new Map([...frame.squares].map(([square, id]) => [id, square]));
  for (const square of closed) {
    if (placed.has(square)) continue;
    const free = [...frame.squares.values(), ...frame.captured].filter((id) => !used.has(id));
    free.sort((a, b) => distance(homes.get(a) ?? "e5", square) - distance(homes.get(b) ?? "e5", square));
    const id = free[0] ?? "?";
    placed.set(square, id);
    used.add(id === "?" ? "" : id);
  }
  return placed;
}

/** @param {Snapshot} snapshot @returns {Set<string>} squares where a piece is felt, or must be by what the snapshot says */
export function closedOf(snapshot) {
  if (snapshot.cells !== undefined) return parseCells(snapshot.cells);
  const closed = new Set([...parsePosition(snapshot.position).keys(), ...snapshot.victims, ...snapshot.extra]);
  for (const square of [...snapshot.lifted, ...snapshot.missing]) closed.delete(square);
  return closed;
}
