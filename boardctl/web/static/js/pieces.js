// @ts-check
/** What the pieces look like: shape says the side, emblem and colour say who they are in this game. */

import { groupOf, kindOf } from "./record.js";

const CROWN = `<path class="e-gold" d="M-22 13 -26-13-12-2 0-20 12-2 26-13 22 13Z"/><path class="e-gold" d="M-21 17h42v6h-42z"/>
<circle class="e-gold" cx="-26" cy="-16" r="3.6"/><circle class="e-gold" cy="-23" r="3.6"/><circle class="e-gold" cx="26" cy="-16" r="3.6"/>`;
const SHIELD = `<circle class="e-line" r="22"/><circle class="e-ink" r="7.5"/><path class="e-line" d="M0-22V-8M0 8V22M-22 0H-8M8 0H22"/>`;
const SWORDS = `<path class="e-line" d="M-17-19 14 16M17-19-14 16"/><path class="e-line e-thick" d="M-19 9-8 19M19 9 8 19"/>`;
const HULL = `<path class="e-ink" d="M-29-5C-28 10-17 19 0 19S28 10 29-5C25 3 15 8 0 8S-25 3-29-5Z"/><path class="e-line" d="M0-25V8"/>`;
const SAIL = "M-15-22H15Q20-10 14 2H-14Q-20-10-15-22Z";

/** @type {Record<string, string>} */
const EMBLEMS = {
  swords: SWORDS,
  shield: SHIELD,
  crown: CROWN,
  pirate: `${HULL}<path class="e-ink" d="${SAIL}"/><path class="e-bone" d="M-8-15 8-4M8-15-8-4"/>`,
  longship: `${HULL}<path class="e-sail" d="${SAIL}"/><path class="e-ink" d="M-9-22h6v24h-6zM4-22h6v24H4z"/>`,
  cargo: `${HULL}<path class="e-gold" d="${SAIL}"/><path class="e-ink" d="M-7-14H7V-2H-7zM-3-17H3V-14H-3z"/>`,
  rose: `<g class="e-white"><circle cy="-12" r="9"/><circle cx="11.4" cy="-3.7" r="9"/><circle cx="7" cy="9.7" r="9"/><circle cx="-7" cy="9.7" r="9"/>
<circle cx="-11.4" cy="-3.7" r="9"/></g><circle class="e-gold" r="6.5"/>`,
  lily: `<path class="e-gold" d="M0-25C9-14 9-5 4 5H-4C-9-5-9-14 0-25ZM-5 4C-8-10-21-12-22-1-22 6-15 8-12 4-12 8-8 9-5 8ZM5 4C8-10 21-12 22-1 22 6 15 8 12 4 12 8 8 9 5 8ZM-12 9H12V14H-12ZM-3 14H3L5 24H-5Z"/>`,
  crescent: `<path class="e-white" d="M9-19A21 21 0 1 0 9 19 16.5 16.5 0 1 1 9-19Z"/><path class="e-white" d="M13-9 15-3 21-3 16 1 18 7 13 3 8 7 10 1 5-3 11-3Z"/>`,
  cross: `<path class="e-white" d="M-6-22H6V-6H22V6H6V22H-6V6H-22V-6H-6Z"/>`,
  eagle: `<path class="e-line" d="M0-16V18M-6 18H6"/><path class="e-ink" d="M0-8C-6-18-20-18-24-9-17-9-15-6-15-6-20-4-20 2-20 2-13 1-9 4 0 8 9 4 13 1 20 2 20 2 20-4 15-6 15-6 17-9 24-9 20-18 6-18 0-8Z"/>`,
};

/** @type {Record<string, {t: string, T: string, K: string}>} */
const SETS = {
  "sea-battle": { t: "pirate", T: "longship", K: "cargo" },
  imperial: { t: "swords", T: "eagle", K: "crown" },
};
const PLAIN = { t: "swords", T: "shield", K: "crown" };
/** @type {Record<string, [string, string]>} emblem and colour of the four allies */
const ALLIES = {
  north: ["rose", "red"],
  east: ["lily", "blue"],
  south: ["crescent", "green"],
  west: ["cross", "violet"],
};
const COLOURS = {
  dark: ["#5a4740", "#2c201c", "#120c0a"],
  red: ["#d4534a", "#a3202a", "#5c0f16"],
  blue: ["#4f7fc4", "#244c93", "#122a58"],
  green: ["#3f9d78", "#176649", "#0a3627"],
  violet: ["#9a6cb8", "#6a3b8b", "#391c50"],
  ivory: ["#fffaf0", "#ecdcb8", "#b89b66"],
  royal: ["#fffdf6", "#f5e6c0", "#c4a25e"],
  wood: ["#cfa877", "#a87d4e", "#6d4b29"],
};

/** An octagon for attackers, a round for defenders, a larger, notched round for the king. */
const BODIES = {
  t: `<path class="rim" d="M-17-42H17L42-17V17L17 42H-17L-42 17V-17Z"/><path class="groove" d="M-14-34H14L34-14V14L14 34H-14L-34 14V-14Z"/>`,
  T: `<circle class="rim" r="41"/><circle class="groove" r="34"/>`,
  K: `<path class="rim" d="M0-49 10-44 21-44 27-35 37-29 39-18 47-9 45 2 47 13 40 21 37 32 26 37 19 46 8 45 0 50-8 45-19 46-26 37-37 32-40 21-47 13-45 2-47-9-39-18-37-29-27-35-21-44-10-44Z"/><circle class="groove" r="37"/>`,
};

/** @returns {string} gradients and emblems, once in each document that shows pieces */
export function definitions() {
  const gradients = Object.entries(COLOURS).map(
    ([name, [light, middle, dark]]) =>
      `<radialGradient id="tone-${name}" cx=".36" cy=".28" r=".85"><stop stop-color="${light}"/><stop offset=".5" stop-color="${middle}"/><stop offset="1" stop-color="${dark}"/></radialGradient>`,
  );
  const emblems = Object.entries(EMBLEMS).map(([name, body]) => `<g id="emblem-${name}">${body}</g>`);
  return `<radialGradient id="shadow"><stop offset=".62" stop-color="#000" stop-opacity=".5"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient>
<linearGradient id="goldleaf" x2="0" y2="1"><stop stop-color="#ffe9a3"/><stop offset=".45" stop-color="#d9a127"/><stop offset="1" stop-color="#8a5a0b"/></linearGradient>
${gradients.join("")}${emblems.join("")}`;
}

/** Put the definitions into the document. */
export function install() {
  const holder = document.createElement("div");
  holder.className = "definitions";
  holder.setAttribute("aria-hidden", "true");
  holder.innerHTML = `<svg width="0" height="0"><defs>${definitions()}</defs></svg>`;
  document.body.prepend(holder);
}

/**
 * @param {string} id of a piece, or "?" @param {string} variant
 * @returns {{kind: string, emblem: string, tone: string}}
 */
function lookOf(id, variant) {
  if (id === "?") return { kind: "T", emblem: "", tone: "wood" };
  const kind = kindOf(id);
  const emblem = (SETS[variant] ?? PLAIN)[kind];
  if (kind !== "t") return { kind, emblem, tone: kind === "K" ? "royal" : "ivory" };
  if (variant !== "imperial") return { kind, emblem, tone: "dark" };
  const [sign, tone] = ALLIES[groupOf(id)];
  return { kind, emblem: sign, tone };
}

/** @param {string} id @param {string} variant @returns {string} SVG of the piece around 0,0; 100 units wide */
export function pieceSvg(id, variant) {
  const { kind, emblem, tone } = lookOf(id, variant);
  const body = BODIES[/** @type {"t"|"T"|"K"} */ (kind)];
  return `<g class="body kind-${kind} tone-${tone}"><g fill="url(#tone-${tone})">${body}</g>${emblem ? `<use href="#emblem-${emblem}"/>` : ""}</g>`;
}

/** @param {string} id @param {string} variant @returns {string} a small picture of the piece for texts */
export function iconSvg(id, variant) {
  return `<svg class="icon" viewBox="-52 -52 104 104" aria-hidden="true">${pieceSvg(id, variant)}</svg>`;
}
