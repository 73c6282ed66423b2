// @ts-check
/** How unruly hands and reeds are, by sliders; and what the table makes of it. For the simulated board alone. */

import { fill, words } from "./i18n.js";
import { post, request } from "./net.js";

/** @typedef {{value: number, least: number, most: number, usual: number, unit: string}} Knob */

/** Milliseconds between two looks at what the table has read. */
const LOOK_MS = 2_000;

/** How far a slider goes at once, by the unit; a share goes by twentieths of its range. @type {Record<string, number>} */
const STEPS = { mm: 1, ms: 1, "m/s": 0.05 };

/** @returns {string} */
export function noiseHtml() {
  return `<details class="noise"><summary>${words.demo.noise}</summary><p class="help">${words.demo.noiseHelp}</p><div class="knobs"></div>
<button type="button" data-quiet>${words.demo.quiet}</button><p class="help counts" role="status"></p></details>`;
}

/** @param {HTMLElement} panel whose sliders are to work */
export function bindNoise(panel) {
  // A `toggle` does not bubble; it can be caught on its way down.
  panel.addEventListener("toggle", (event) => {
    if (event.target instanceof HTMLDetailsElement && event.target.open && event.target.matches(".noise")) void open(panel);
  }, true);
  panel.addEventListener("input", (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement) || input.dataset.knob === undefined) return;
    tell(input);
    void post("/api/sim", { noise: { [input.dataset.knob]: Number(input.value) } });
  });
  panel.addEventListener("click", (event) => {
    if (event.target instanceof HTMLElement && event.target.matches("[data-quiet]")) void quiet(panel);
  });
}

/** @param {HTMLElement} panel */
async function open(panel) {
  const { status, body } = await request("/api/sim");
  const place = panel.querySelector(".knobs");
  if (status !== 200 || place === null) return;
  /** @type {Record<string, Knob>} */
  const knobs = body.noise;
  place.innerHTML = Object.entries(knobs).map(knobHtml).join("");
  for (const input of inputs(panel)) tell(input);
  void look(panel);
}

/** @param {[string, Knob]} knob @returns {string} */
function knobHtml([name, { value, least, most, usual, unit }]) {
  /** @type {Record<string, string>} */
  const texts = words.knobs;
  return `<label class="knob"><span>${texts[name] ?? name}</span><input type="range" data-knob="${name}" data-usual="${usual}" data-unit="${unit}" min="${least}" max="${most}" step="${STEPS[unit] ?? (most - least) / 20}" value="${value}"><output></output></label>`;
}

/** @param {HTMLElement} panel @returns {HTMLInputElement[]} */
function inputs(panel) {
  return [...panel.querySelectorAll("input")].filter((input) => input.dataset.knob !== undefined);
}

/** Say where a slider stands. @param {HTMLInputElement} input */
function tell(input) {
  const { unit } = input.dataset;
  const value = Number(input.value);
  const text = unit === "" ? `${Math.round(value * 1000) / 10} %` : `${Math.round(value * 100) / 100} ${unit}`;
  input.setAttribute("aria-valuetext", text);
  if (input.nextElementSibling !== null) input.nextElementSibling.textContent = text;
}

/** @param {HTMLElement} panel */
async function quiet(panel) {
  for (const input of inputs(panel)) {
    input.value = input.dataset.usual ?? input.value;
    tell(input);
  }
  await post("/api/sim", { noise: Object.fromEntries(inputs(panel).map((input) => [input.dataset.knob, Number(input.dataset.usual)])) });
}

/** Tell what the table has read, as long as somebody looks. @param {HTMLElement} panel */
async function look(panel) {
  const details = /** @type {HTMLDetailsElement | null} */ (panel.querySelector(".noise"));
  const counts = details?.querySelector(".counts");
  if (!details?.open || !counts) return;
  const { status, body } = await request("/api/health");
  if (status === 200) {
    const { ply_shown = 0, ply_revised = 0, ply_retracted = 0 } = body.events ?? {};
    /** @type {number[]} */
    const shares = body.reliability ?? [1];
    const share = (100 * shares.reduce((sum, one) => sum + one, 0)) / shares.length;
    counts.textContent = fill(words.demo.counts, { shown: ply_shown, revised: ply_revised, retracted: ply_retracted, share: share.toFixed(1), lost: (body.bus?.retries ?? 0) + (body.bus?.losses ?? 0) });
  }
  setTimeout(() => void look(panel), LOOK_MS);
}
