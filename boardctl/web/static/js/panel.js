// @ts-check
/** Everything beside the board: game, turn, call, captured pieces, moves, result. */

import { fill, namesIn, titleIn, words } from "./i18n.js";
import { iconSvg } from "./pieces.js";
import { kindOf, parsePly } from "./record.js";
import { FIRST, rulesOf, SOURCES } from "./rules.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./record.js").Snapshot} Snapshot */

/** Readings in which nobody is to move, or it does not matter who is. */
const WITHOUT_TURN = new Set(["setup", "lot", "menu", "attract", "lesson"]);

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const node = document.getElementById(id);
  if (node === null) throw new Error(`no element ${id}`);
  return node;
}

/** @param {string} side @returns {string} a piece that stands for it */
function emblemOf(side) {
  return side === "attackers" ? "te9" : "Te6";
}

/** @param {string} text @returns {string} safe inside HTML */
export function escape(text) {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** @param {string} id @param {string} html */
function put(id, html) {
  const node = byId(id);
  if (node.innerHTML !== html) node.innerHTML = html;
}

/** @param {Table} table */
export function renderPanel(table) {
  const snapshot = table.snapshot;
  if (snapshot === null) return;
  renderHeading(snapshot);
  renderTurn(snapshot);
  renderCall(snapshot);
  renderTaken(table, snapshot);
  renderMoves(table, snapshot);
  renderLooking(table);
}

/** @param {Snapshot} snapshot */
function renderHeading(snapshot) {
  const title = titleIn(words, snapshot.variant);
  byId("title").textContent = title;
  document.title = `${title} · boardctl`;
  /** @type {Record<string, string>} */
  const origins = words.origins;
  byId("origin").textContent = origins[snapshot.variant] ?? "";
}

/** @param {Snapshot} snapshot */
function renderTurn(snapshot) {
  const turn = byId("turn");
  turn.dataset.side = snapshot.side ?? "";
  turn.dataset.reading = snapshot.reading;
  put("turn", snapshot.outcome === null ? turnHtml(snapshot) : outcomeHtml(snapshot));
  byId("notice").textContent = snapshot.fault?.reason ?? "";
}

/** @param {Snapshot} snapshot @returns {string} */
function turnHtml(snapshot) {
  const names = namesIn(words, snapshot.variant);
  const side = snapshot.side === "attackers" || snapshot.side === "defenders" ? snapshot.side : null;
  const what = readingText(snapshot);
  if (side === null || WITHOUT_TURN.has(snapshot.reading)) {
    return `<span class="big">${escape(what)}</span>`;
  }
  return `${iconSvg(emblemOf(side), snapshot.variant)}<span class="words"><span class="small">${words.ui.toMove}</span>
<span class="big">${escape(names[side])}</span><span class="what">${escape(what)}</span></span>`;
}

/** @param {Snapshot} snapshot @returns {string} */
function readingText(snapshot) {
  /** @type {Record<string, string>} */
  const readings = words.readings;
  const text = readings[snapshot.reading] ?? snapshot.reading;
  if (snapshot.work?.working) return words.work[snapshot.work.kind];
  if (!snapshot.lesson) return text;
  /** @type {Record<string, string>} */
  const steps = words.lesson;
  return `${text} ${snapshot.lesson.number}: ${steps[snapshot.lesson.step] ?? ""}`;
}

/** @param {Snapshot} snapshot @returns {string} */
function outcomeHtml(snapshot) {
  const { winner, result, reason } = /** @type {NonNullable<Snapshot["outcome"]>} */ (snapshot.outcome);
  const names = namesIn(words, snapshot.variant);
  /** @type {Record<string, string>} */
  const reasons = words.reasons;
  const why = fill(reasons[reason] ?? reason, names);
  if (winner === "attackers" || winner === "defenders") {
    return `${iconSvg(winner === "attackers" ? "te9" : "Ke5", snapshot.variant)}<span class="words"><span class="small">${words.ui.won}</span>
<span class="big">${escape(names[winner])}</span><span class="what">${escape(why)}</span></span>`;
  }
  return `<span class="words"><span class="big">${result === "draw" ? words.ui.draw : words.ui.noResult}</span><span class="what">${escape(why)}</span></span>`;
}

/** @param {Snapshot} snapshot */
function renderCall(snapshot) {
  const call = byId("call");
  const text = snapshot.call === "raicki" || snapshot.call === "tuicku" ? words.calls[snapshot.call] : null;
  call.hidden = text === null || snapshot.outcome !== null;
  const html = text === null ? "" : `<strong>${escape(text[0])}</strong><span>${escape(text[1])}</span>`;
  put("call", html);
}

/** @param {Table} table @param {Snapshot} snapshot */
function renderTaken(table, snapshot) {
  const names = namesIn(words, snapshot.variant);
  for (const side of /** @type {const} */ (["attackers", "defenders"])) {
    const taken = table.taken(side);
    const icons = taken.map((id) => iconSvg(id, snapshot.variant)).join("");
    put(`taken-${side}`, `<span class="label">${escape(names[side])}</span><span class="icons">${icons}</span><span class="count">${taken.length}</span>`);
  }
}

/** @param {Table} table @param {Snapshot} snapshot */
function renderMoves(table, snapshot) {
  const list = byId("moves");
  const shown = table.looking ?? snapshot.moves.length;
  const items = snapshot.moves.map((text, n) => moveHtml(table, snapshot, text, n + 1, shown === n + 1));
  const html = items.join("") || `<li class="none">${words.ui.noMoves}</li>`;
  if (list.innerHTML === html) return;
  list.innerHTML = html;
  showCurrentMove();
}

/** Scroll the list, and nothing else, to the move that is shown. */
export function showCurrentMove() {
  const list = byId("moves");
  const current = list.querySelector("[aria-current]");
  if (current instanceof HTMLElement) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}

/** @param {Table} table @param {Snapshot} snapshot @param {string} text @param {number} number @param {boolean} current @returns {string} */
function moveHtml(table, snapshot, text, number, current) {
  const ply = parsePly(text);
  const id = table.frames[number]?.squares.get(ply.to) ?? "?";
  const taken = ply.captures.length > 0 ? `<span class="takes">×${ply.captures.join(" ")}</span>` : "";
  return `<li><button type="button" data-ply="${number}"${current ? ' aria-current="true"' : ""}><span class="number">${number}</span>${iconSvg(id, snapshot.variant)}<span>${ply.from}–${ply.to}</span>${taken}</button></li>`;
}

/** @param {Table} table */
function renderLooking(table) {
  const live = table.looking === null;
  document.body.classList.toggle("looking", !live);
  byId("looking").hidden = live;
  if (!live) byId("looking-text").textContent = table.looking === 0 ? words.ui.start : fill(words.ui.looking, { n: table.looking ?? 0 });
  for (const id of ["first", "previous"]) /** @type {HTMLButtonElement} */ (byId(id)).disabled = table.plies === 0 || table.looking === 0;
  for (const id of ["next", "latest"]) /** @type {HTMLButtonElement} */ (byId(id)).disabled = live;
}

/** @param {Snapshot} snapshot */
export function renderRules(snapshot) {
  const names = namesIn(words, snapshot.variant);
  const lines = ruleLines(words, snapshot.variant, snapshot.options.first).map(
    ({ text, source, note }) => `<li>${escape(text)} <cite>${escape(citation(source, note))}</cite></li>`,
  );
  const options = Object.entries(snapshot.options).map(([name, value]) => {
    /** @type {Record<string, string>} */
    const optionNames = words.optionNames;
    return `<li>${escape(optionNames[name] ?? name)}: <b>${escape(value === "attackers" || value === "defenders" ? names[value] : value)}</b></li>`;
  });
  const sources = (SOURCES[snapshot.variant] ?? []).map((source) => `<li>${escape(source)}</li>`);
  put("rules-body", `<ol class="rules">${lines.join("")}</ol><h3>${words.ui.options}</h3><ul class="options">${options.join("")}</ul><h3>${words.ui.sources}</h3><ul class="sources">${sources.join("")}</ul>`);
}

/**
 * @param {import("./i18n.js").Words} language @param {string} variant @param {string} [first] who begins in this game
 * @returns {{text: string, source: string, note: string}[]}
 */
export function ruleLines(language, variant, first) {
  const names = namesIn(language, variant);
  /** @type {Record<string, any>} */
  const texts = language.rules;
  return rulesOf(variant).map(({ text, source, note }) => {
    const sentence = text === "first" ? texts.first[first ?? FIRST[variant]] ?? "" : texts[text];
    return { text: fill(sentence, names), source, note: note === undefined ? "" : texts[note] };
  });
}

/** @param {string} source @param {string} note @returns {string} */
export function citation(source, note) {
  return [source, note].filter((part) => part !== "").join(" · ");
}

/** @param {Table} table @returns {string} the position in words, for those who listen */
export function boardText(table) {
  const snapshot = table.snapshot;
  if (snapshot === null) return words.ui.connecting;
  const names = namesIn(words, snapshot.variant);
  const frame = table.looking === null ? table.frame : table.frames[table.looking];
  /** @param {string} kind */
  const where = (kind) => [...frame.squares].filter(([, id]) => kindOf(id) === kind).map(([square]) => square).sort().join(" ") || words.ui.nobody;
  return fill(words.ui.boardText, { ...names, a: where("t"), d: where("T"), k: where("K") });
}

/** @param {Table} table @param {number} spoken plies already announced @returns {string} what has happened since */
export function newsText(table, spoken) {
  const snapshot = table.snapshot;
  if (snapshot === null) return "";
  const names = namesIn(words, snapshot.variant);
  const parts = [];
  if (snapshot.moves.length > spoken && snapshot.moves.length > 0) parts.push(lastMoveText(table, snapshot, names));
  if (snapshot.call === "raicki" || snapshot.call === "tuicku") parts.push(words.calls[snapshot.call].join(" "));
  if (snapshot.outcome === null) parts.push(readingText(snapshot));
  else parts.push(byId("turn").textContent ?? "");
  return parts.filter((part) => part !== "").join(". ");
}

/** @param {Table} table @param {Snapshot} snapshot @param {{attackers: string, defenders: string}} names @returns {string} */
function lastMoveText(table, snapshot, names) {
  const ply = parsePly(snapshot.moves[snapshot.moves.length - 1]);
  const id = table.frame.squares.get(ply.to) ?? "T";
  const side = kindOf(id) === "t" ? names.attackers : names.defenders;
  const taken = ply.captures.length > 0 ? `, ${fill(words.ui.took, { squares: ply.captures.join(" ") }).toLowerCase()}` : "";
  return `${side}: ${ply.from} ${ply.to}${taken}`;
}
