// @ts-check
/** Words: the visitor's language, remembered in this browser. */

import en from "../lang/en.js";

/** @typedef {typeof en} Words */

/** @type {Record<string, () => Promise<{default: any}>>} */
const LOADERS = {
  en: async () => ({ default: en }),
  de: () => import("../lang/de.js"),
  da: () => import("../lang/da.js"),
};
const KEY = "boardctl.language";

/** The words in use. @type {Words} */
export let words = en;

export const LANGUAGES = Object.keys(LOADERS);

/** @returns {string | null} what this browser remembers */
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @returns {string} the language to begin with: address, memory, browser, English */
export function preferred() {
  const asked = new URLSearchParams(location.search).get("lang");
  const wishes = [asked, remembered(), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return wishes.find((wish) => wish !== null && wish in LOADERS) ?? "en";
}

/** @param {string} code @returns {Promise<Words>} */
export async function load(code) {
  return (await LOADERS[code]()).default;
}

/** @param {string} code */
export async function use(code) {
  words = await load(code);
  document.documentElement.lang = code;
  for (const node of document.querySelectorAll("[data-text]")) {
    node.textContent = lookup(/** @type {HTMLElement} */ (node).dataset.text ?? "");
  }
  for (const node of document.querySelectorAll("[data-label]")) {
    const text = lookup(/** @type {HTMLElement} */ (node).dataset.label ?? "");
    node.setAttribute("aria-label", text);
    node.setAttribute("title", text);
  }
}

/** @param {string} code */
export function remember(code) {
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // A browser that keeps nothing still shows the language chosen now.
  }
}

/** @param {string} path `ui.moves` @returns {string} */
function lookup(path) {
  /** @type {any} */
  let value = words;
  for (const key of path.split(".")) value = value?.[key];
  return typeof value === "string" ? value : path;
}

/** @param {string} text with {gaps} @param {Record<string, string | number>} values @returns {string} */
export function fill(text, values) {
  const filled = text.replace(/\{(\w+)\}/g, (gap, key) => String(values[key] ?? gap));
  return filled.charAt(0).toUpperCase() + filled.slice(1);
}

/** @param {Words} language @param {string} variant what players call the pieces @returns {{attackers: string, defenders: string, king: string, theKing: string}} */
export function namesIn(language, variant) {
  /** @type {Record<string, {attackers: string, defenders: string, king: string, theKing: string}>} */
  const names = language.names;
  return names[variant] ?? names.market;
}

/** @param {Words} language @param {string} variant @returns {string} */
export function titleIn(language, variant) {
  /** @type {Record<string, string>} */
  const titles = language.titles;
  return titles[variant] ?? variant;
}
