// @ts-check
/** What goes wrong at a real table, at the press of a button: for the simulated board alone. */

import { words } from "./i18n.js";
import { post } from "./net.js";
import { SQUARES } from "./record.js";

/** Addresses of the six chips that read the switches. */
const CHIPS = ["0x20", "0x21", "0x22", "0x23", "0x24", "0x25"];

/** @type {Record<string, (square: string) => object>} */
const REEDS = {
  nudge: (square) => ({ nudge: square }),
  jam: (square) => ({ stick: square, to: "closed" }),
  dead: (square) => ({ stick: square, to: "open" }),
  mend: (square) => ({ stick: square, to: "free" }),
};
const CHIP_DEEDS = ["silent", "answer", "reset"];

/** @returns {string} */
export function faultsHtml() {
  /** @type {Record<string, string>} */
  const texts = words.demo;
  const option = (/** @type {string} */ value) => `<option${value === "e4" ? " selected" : ""}>${value}</option>`;
  const button = (/** @type {string} */ kind) => (/** @type {string} */ deed) =>
    `<button type="button" data-${kind}="${deed}">${texts[deed]}</button>`;
  return `<details class="faults"><summary>${texts.faults}</summary>
<div class="demo-row"><label>${texts.square} <select data-fault-square>${SQUARES.map(option).join("")}</select></label>${Object.keys(REEDS).map(button("reed")).join("")}</div>
<div class="demo-row"><label>${texts.chip} <select data-fault-chip>${CHIPS.map(option).join("")}</select></label>${CHIP_DEEDS.map(button("chip")).join("")}</div></details>`;
}

/** @param {HTMLElement} panel whose buttons are to work */
export function bindFaults(panel) {
  const chosen = (/** @type {string} */ name) => /** @type {HTMLSelectElement} */ (panel.querySelector(`[data-fault-${name}]`)).value;
  panel.addEventListener("click", (event) => {
    const button = event.target instanceof HTMLElement ? event.target.closest("button") : null;
    const { reed, chip } = button?.dataset ?? {};
    if (reed !== undefined) void post("/api/sim", REEDS[reed](chosen("square")));
    if (chip !== undefined) void post("/api/sim", { chip: chosen("chip"), does: chip });
  });
}
