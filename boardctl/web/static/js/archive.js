// @ts-check
/** Past games: a list to look at, replay and carry away. */

import { fill, namesIn, titleIn, words } from "./i18n.js";
import { request } from "./net.js";
import { escape } from "./panel.js";

/** @param {HTMLElement} place */
export async function showArchive(place) {
  const { status, body } = await request("/api/games");
  const { desk: texts } = words;
  /** @type {any[]} */
  const games = status === 200 ? body.games ?? [] : [];
  const items = games.map(gameHtml).join("") || `<li class="soft">${texts.noGames}</li>`;
  place.innerHTML = `<h2>${texts.archive}</h2><ol class="games">${items}</ol>`;
}

/** @param {any} game @returns {string} */
function gameHtml(game) {
  const id = encodeURIComponent(String(game.id ?? game.game));
  /** @type {Record<string, string>} */
  const names = namesIn(words, game.variant);
  const winner = game.outcome?.winner;
  const how = winner ? `${words.ui.won}: ${names[winner]}` : game.outcome ? words.ui.draw : words.desk.unfinished;
  const when = String(game.started_at ?? game.started ?? "").slice(0, 16).replace("T", " ");
  const count = Number(game.plies ?? game.moves?.length ?? 0);
  return `<li><span><b>${escape(titleIn(words, game.variant))}</b> <span class="soft">${escape(when)} · ${escape(fill(words.desk.plies, { n: count }))} · ${escape(how)}</span></span>
<span class="links"><a href="/?game=${id}">${words.desk.replay}</a><a href="/api/games/${id}" download="game-${id}.json">${words.desk.download}</a></span></li>`;
}
