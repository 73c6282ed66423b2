// @ts-check
/** The choice of a game and its options. */

import { titleIn, words } from "./i18n.js";
import { request } from "./net.js";
import { byId, escape } from "./panel.js";

/** @typedef {{name: string, options: Record<string, {default: string, allowed: string[]}>}} Variant */

/** @param {HTMLElement} place @param {import("./desk.js").Desk} desk */
export async function choose(place, desk) {
  const answer = await request("/api/variants");
  /** @type {Variant[]} */
  const variants = answer.body.variants ?? [];
  const games = variants.map(({ name }) => `<option value="${escape(name)}">${escape(titleIn(words, name))}</option>`);
  place.innerHTML = `<h2>${words.desk.choose}</h2><label class="field"><span class="hidden">${words.desk.choose}</span><select id="game" class="wide">${games.join("")}</select></label>
<div id="options"></div><button type="button" id="start-game" class="primary wide">${words.desk.start}</button>`;
  const game = /** @type {HTMLSelectElement} */ (byId("game"));
  const show = () => {
    const chosen = variants.find(({ name }) => name === game.value);
    byId("options").innerHTML = Object.entries(chosen?.options ?? {}).map(optionHtml).join("");
  };
  game.addEventListener("change", show);
  show();
  desk.twice("start-game", () => ({ command: "set-variant", variant: game.value, options: chosenOptions() }));
}

/** @param {[string, {default: string, allowed: string[]}]} option @returns {string} */
function optionHtml([name, { default: usual, allowed }]) {
  /** @type {Record<string, string>} */
  const names = words.optionNames;
  const values = allowed.map((value) => `<option${value === usual ? " selected" : ""}>${escape(value)}</option>`);
  return `<label class="field"><span>${escape(names[name] ?? name)}</span><select data-option="${escape(name)}">${values.join("")}</select></label>`;
}

/** @returns {Record<string, string>} */
function chosenOptions() {
  const selects = [.../** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("#options select"))];
  return Object.fromEntries(selects.map((select) => [select.dataset.option ?? "", select.value]));
}
