// @ts-check
/** The menu played on the board itself: what each of its squares means. */

import { namesIn, words } from "./i18n.js";

/** @typedef {{square: string, kind: string, value: string, chosen: boolean}} Item */

/**
 * @param {Item[]} items @param {string} variant
 * @returns {Map<string, string[]>} lines of text by square
 */
export function menuLabels(items, variant) {
  return new Map(items.map((item) => [item.square, linesOf(item, variant)]));
}

/** @param {Item} item @param {string} variant @returns {string[]} */
function linesOf({ kind, value }, variant) {
  /** @type {Record<string, string>} */
  const games = words.menu.games;
  /** @type {Record<string, any>} */
  const texts = words.menu;
  /** @type {Record<string, string>} */
  const names = namesIn(words, variant);
  if (kind === "game") return [games[value] ?? value];
  if (kind === "option") return optionLines(value, names);
  if (kind === "palette") return [texts.palette, value];
  if (kind === "brightness") return [texts.brightness, `${Math.round(Number(value) * 100)} %`];
  if (kind === "lesson") return [texts.lesson];
  if (kind === "end-attackers" || kind === "end-defenders") return [names[kind.slice(4)], texts[value] ?? value];
  return [texts[value] ?? value];
}

/** @param {string} option `first=lot` @param {Record<string, string>} names @returns {string[]} */
function optionLines(option, names) {
  const [name, value] = option.split("=");
  /** @type {Record<string, string>} */
  const optionNames = words.optionNames;
  return [optionNames[name] ?? name, names[value] ?? value];
}
