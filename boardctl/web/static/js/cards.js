// @ts-check
/** Rule cards to print: one sheet for each game, in three languages, with the signs of the lights. */

import { Board, centre } from "./board.js";
import { fill, LANGUAGES, load, namesIn, preferred, titleIn, use } from "./i18n.js";
import { byId, citation, escape, ruleLines } from "./panel.js";
import { iconSvg, install } from "./pieces.js";
import { parsePosition } from "./record.js";
import { GAMES, STARTS } from "./rules.js";

/** @typedef {import("./i18n.js").Words} Words */

/** Signs of the lights: key of the text, colour in the default palette. */
const SIGNS = /** @type {const} */ ([
  ["corners", "#835c00"], ["lifted", "#f6fcfc"], ["target", "#08ec8b"], ["takes", "#f0731d"], ["wins", "#fbb610"],
  ["victim", "#df3e6c"], ["choose", "#f41ea6"], ["illegal", "#e61733"], ["wrong", "#8212cc"], ["place", "#216cfb"],
]);

install();

/** @returns {string} the game asked for in the address */
function chosen() {
  const asked = new URLSearchParams(location.search).get("game") ?? "";
  return GAMES.includes(asked) ? asked : GAMES[0];
}

/** @param {Words[]} languages */
function render(languages) {
  const game = chosen();
  const [own] = languages;
  /** @type {Record<string, string>} */
  const origins = own.origins;
  byId("games").innerHTML = GAMES.map((name) => `<a href="?game=${name}"${name === game ? ' aria-current="page"' : ""}>${escape(titleIn(own, name))}</a>`).join("");
  byId("card").innerHTML = `<div class="card-title"><h1>${escape(titleIn(own, game))}</h1><p>${escape(origins[game])}</p></div>
<div class="picture"><div id="start" role="img" aria-label="${escape(own.card.start)}"></div><ul class="who">${whoHtml(languages, game)}</ul></div>
<div class="texts">${languages.map((words) => textHtml(words, game)).join("")}</div>
<div class="lights">${SIGNS.map(([key, colour]) => signHtml(languages, key, colour)).join("")}</div>`;
  const board = new Board(byId("start"));
  board.setThrone(game === "linnaeus");
  board.setPieces(
    [...parsePosition(STARTS[game])].map(([square, kind]) => {
      const [x, y] = centre(square);
      return { id: kind + square, square, x, y, state: "on" };
    }),
    game,
  );
}

/** @param {Words[]} languages @param {string} game @returns {string} */
function whoHtml(languages, game) {
  const rows = /** @type {const} */ ([["Ke5", "king"], ["Te6", "defenders"], ["te9", "attackers"]]).map(([id, key]) => {
    const names = languages.map((words) => escape(fill(namesIn(words, game)[key], {})));
    return `<li>${iconSvg(id, game)}<span>${[...new Set(names)].join(" · ")}</span></li>`;
  });
  if (game === "imperial") rows.push(...alliesHtml(languages));
  return rows.join("");
}

/** @param {Words[]} languages @returns {string[]} */
function alliesHtml(languages) {
  return /** @type {const} */ ([["te8", "north"], ["th5", "east"], ["te2", "south"], ["tb5", "west"]]).map(([id, group]) => {
    const names = languages.map((words) => escape(words.allies[group]));
    return `<li>${iconSvg(id, "imperial")}<span>${[...new Set(names)].join(" · ")}</span></li>`;
  });
}

/** @param {Words} words @param {string} game @returns {string} */
function textHtml(words, game) {
  const lines = ruleLines(words, game).map(({ text, source, note }) => `<li>${escape(text)} <small>${escape(citation(source, note))}</small></li>`);
  return `<section lang="${words.code}"><h2>${escape(titleIn(words, game))}</h2><ol>${lines.join("")}</ol></section>`;
}

/** @param {Words[]} languages @param {typeof SIGNS[number][0]} key @param {string} colour @returns {string} */
function signHtml(languages, key, colour) {
  const texts = languages.map((words) => `<span lang="${words.code}">${escape(words.legend[key])}</span>`);
  return `<div><svg viewBox="0 0 20 20" aria-hidden="true"><rect width="20" height="20" rx="3" fill="#6b4426"/><rect x="2" y="2" width="16" height="16" rx="3" fill="${colour}" opacity=".75"/><circle cx="10" cy="10" r="5" fill="${colour}"/></svg><span>${texts.join("")}</span></div>`;
}

async function start() {
  await use(preferred());
  const own = preferred();
  const languages = await Promise.all([own, ...LANGUAGES.filter((code) => code !== own)].map(load));
  render(languages);
  byId("print").addEventListener("click", () => print());
}

void start();
