// @ts-check
/** A past game instead of the live one: `/?game=7`. */

import { request } from "./net.js";
import { formatPosition, framesOf, kindOf } from "./record.js";

/** @typedef {import("./record.js").Snapshot} Snapshot */

/**
 * @param {string} id @param {import("./table.js").Table} table
 * @returns {Promise<boolean>} whether there is such a game
 */
export async function replay(id, table) {
  const { status, body } = await request(`/api/games/${encodeURIComponent(id)}`);
  if (status !== 200) return false;
  /** @type {Snapshot} */
  const snapshot = {
    version: 0, variant: body.variant, options: body.options ?? {}, position: body.position, start: body.position, side: null,
    moves: body.moves ?? [], reading: "finished", lifted: [], targets: [], victims: [], missing: [], extra: [], unknown: [],
    outcome: body.outcome ?? null, call: null, open_paths: [], fault: null,
  };
  const frames = framesOf(snapshot);
  const last = frames[frames.length - 1];
  snapshot.position = formatPosition(new Map([...last.squares].map(([square, name]) => [square, kindOf(name)])));
  table.show(snapshot);
  table.look(0);
  return true;
}
