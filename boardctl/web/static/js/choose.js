// @ts-check
/** The choice of a game and its options: those of the table, until somebody chooses others. */

import { titleIn, words } from "./i18n.js";
import { request } from "./net.js";
import { byId, escape } from "./panel.js";

/** @typedef {{name: string, options: Record<string, {default: string, allowed: string[]}>}} Variant */

/** @param {HTMLElement} place @param {import("./desk.js").Desk} desk @param {import("./table.js").Table} table */
export async function choose(place, desk, table) {
  const answer = await request("/api/variants");
  /** @type {Variant[]} */
  const variants = answer.body.variants ?? [];
  const games = variants.map(({ name }) => `<option value="${escape(name)}">${escape(titleIn(words, name))}</option>`);
  place.innerHTML = `<h2>${words.desk.choose}</h2><label class="field"><span class="hidden">${words.desk.choose}</span><select id="game" class="wide">${games.join("")}</select></label>
<div id="options"></div><button type="button" id="start-game" class="primary wide">${words.desk.start}</button>`;
  const game = /** @type {HTMLSelectElement} */ (byId("game"));
  let chosen = "";
  /** @param {Record<string, string>} values of the options; those left out are the usual ones */
  const show = (values) => {
    const variant = variants.find(({ name }) => name === game.value);
    byId("options").innerHTML = Object.entries(variant?.options ?? {}).map((option) => optionHtml(option, values)).join("");
  };
  const follow = () => {
    const now = table.snapshot;
    const told = JSON.stringify([now?.variant, now?.options]);
    if (now === null || chosen === told || chosen === "by hand" || !game.isConnected) return;
    if (!variants.some(({ name }) => name === now.variant)) return;
    chosen = told;
    game.value = now.variant;
    show(now.options);
  };
  game.addEventListener("change", () => show({}));
  place.oninput = () => (chosen = "by hand");
  show({});
  follow();
  table.listeners.push(follow);
  desk.twice("start-game", () => ({ command: "set-variant", variant: game.value, options: chosenOptions() }));
}

/** @param {[string, {default: string, allowed: string[]}]} option @param {Record<string, string>} values @returns {string} */
function optionHtml([name, { default: usual, allowed }], values) {
  /** @type {Record<string, string>} */
  const names = words.optionNames;
  const choices = allowed.map((value) => `<option${value === (values[name] ?? usual) ? " selected" : ""}>${escape(value)}</option>`);
  return `<label class="field"><span>${escape(names[name] ?? name)}</span><select data-option="${escape(name)}">${choices.join("")}</select></label>`;
}

/** @returns {Record<string, string>} */
function chosenOptions() {
  const selects = [.../** @type {NodeListOf<HTMLSelectElement>} */ (document.querySelectorAll("#options select"))];
  return Object.fromEntries(selects.map((select) => [select.dataset.option ?? "", select.value]));
}
