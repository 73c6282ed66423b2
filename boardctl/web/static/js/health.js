// @ts-check
/** How the table is: figures of the board process, and a map of its squares. */

import { words } from "./i18n.js";
import { request } from "./net.js";
import { escape } from "./panel.js";
import { SQUARES } from "./record.js";

/** Shares of true changes from which on a square counts as good, fair, poor. */
const STEPS = [0.9, 0.7, 0.4];

/** @param {HTMLElement} place */
export async function showHealth(place) {
  const { status, body } = await request("/api/health");
  const { desk: texts } = words;
  if (status !== 200) {
    place.innerHTML = `<h2>${texts.health}</h2><p class="notice">${escape(String(body.error ?? status))}</p>`;
    return;
  }
  const faults = (body.fault_reasons ?? []).map((/** @type {string} */ reason) => `<p class="notice">${escape(reason)}</p>`).join("");
  const html = `<h2>${texts.health}</h2>${faults}${heatHtml(body.reliability)}<dl class="figures">${figuresHtml(body)}</dl>`;
  if (place.dataset.html !== html) place.dataset.html = place.innerHTML = html;
}

/** @param {Record<string, unknown>} health @returns {string} */
function figuresHtml(health) {
  return Object.entries(health)
    .filter(([, value]) => ["number", "boolean", "string"].includes(typeof value))
    .map(([name, value]) => `<dt>${escape(name.replaceAll("_", " "))}</dt><dd>${escape(value === true ? "✓" : value === false ? "–" : String(value))}</dd>`)
    .join("");
}

/** @param {unknown} reliability 81 shares in square order, or shares by square @returns {string} */
function heatHtml(reliability) {
  const share = sharesOf(reliability);
  if (share === null) return "";
  const cells = SQUARES.map((square, n) => {
    const [x, y] = [(n % 9) * 10, (8 - Math.floor(n / 9)) * 10];
    const value = share(square, n);
    const step = STEPS.findIndex((limit) => value >= limit);
    const text = value >= STEPS[0] ? "" : `${Math.floor(value * 100)}`;
    return `<g><title>${square}: ${(value * 100).toFixed(1)} %</title><rect class="s${step < 0 ? 3 : step}" x="${x}" y="${y}" width="10" height="10" rx="1.5"/><text x="${x + 5}" y="${y + 6.2}">${text}</text></g>`;
  });
  return `<h3>${words.desk.squares}</h3><svg class="heat" viewBox="0 0 90 90" role="img" aria-label="${words.desk.squares}">${cells.join("")}</svg>`;
}

/** @param {unknown} reliability @returns {((square: string, n: number) => number) | null} */
function sharesOf(reliability) {
  if (Array.isArray(reliability) && reliability.length === 81) return (_, n) => Number(reliability[n]);
  if (reliability !== null && typeof reliability === "object") {
    const bySquare = /** @type {Record<string, number>} */ (reliability);
    return (square) => Number(bySquare[square] ?? 1);
  }
  return null;
}
