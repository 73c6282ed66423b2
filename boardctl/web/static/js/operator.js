// @ts-check
/** The operator's page: every command of the table, and how it is. */

import { showArchive } from "./archive.js";
import { Board } from "./board.js";
import { choose } from "./choose.js";
import { showConfiguration } from "./configuration.js";
import { Desk } from "./desk.js";
import { Editor } from "./editor.js";
import { fill, LANGUAGES, namesIn, preferred, remember, titleIn, use, words } from "./i18n.js";
import { showHealth } from "./health.js";
import { Line, request } from "./net.js";
import { byId, escape } from "./panel.js";
import { install } from "./pieces.js";
import { Table } from "./table.js";
import { followTheme } from "./theme.js";
import { WorkBench } from "./work.js";

install();
followTheme(byId("theme"));

const table = new Table(new Board(byId("board")));
const desk = new Desk(byId("toast"));
/** @type {Editor | null} */
let editor = null;
/** @type {WorkBench | null} */
let bench = null;
let variantShown = "";

/** @param {string} side @returns {string} */
function sideName(side) {
  const names = namesIn(words, table.snapshot?.variant ?? "market");
  return side === "attackers" ? names.attackers : names.defenders;
}

function renderStatus() {
  const snapshot = table.snapshot;
  if (snapshot === null) return;
  /** @type {Record<string, string>} */
  const readings = words.readings;
  const doing = snapshot.work?.working ? words.work[snapshot.work.kind] : readings[snapshot.reading] ?? snapshot.reading;
  const turn = snapshot.side === null ? "" : `${words.ui.toMove}: ${sideName(snapshot.side)}`;
  const plies = fill(words.desk.plies, { n: snapshot.moves.length });
  byId("origin").textContent = titleIn(words, snapshot.variant);
  byId("status").innerHTML = `<span class="big">${escape(turn || doing)}</span><span>${escape(doing)}</span>
<span class="soft">${escape(plies)} ${escape(snapshot.moves[snapshot.moves.length - 1] ?? "")}</span>${snapshot.fault === null ? "" : `<span class="notice">${escape(snapshot.fault.reason)}</span>`}`;
  byId("pause").hidden = snapshot.reading === "paused";
  byId("resume").hidden = snapshot.reading !== "paused";
  if (variantShown !== snapshot.variant) renderNamed(snapshot.variant);
}

/** What names the sides of the game. @param {string} variant */
function renderNamed(variant) {
  variantShown = variant;
  for (const side of ["attackers", "defenders"]) {
    byId(`resign-${side}`).textContent = fill(words.desk.resign, { side: sideName(side) });
    byId(`win-${side}`).textContent = fill(words.desk.win, { side: sideName(side) });
  }
  editor?.render();
}

function renderPlay() {
  const { desk: texts } = words;
  byId("play").innerHTML = `<h2>${texts.play}</h2><div class="buttons">
<button type="button" id="undo">${texts.undo}</button><button type="button" id="hint">${texts.hint}</button>
<button type="button" id="pause">${texts.pause}</button><button type="button" id="resume">${texts.resume}</button>
<button type="button" id="new-game">${texts.newGame}</button><button type="button" id="swap">${texts.swap}</button></div>
<h3>${texts.result}</h3><div class="buttons"><button type="button" id="agree">${texts.agree}</button><button type="button" id="undecidable">${texts.undecidable}</button>
<button type="button" id="resign-attackers"></button><button type="button" id="resign-defenders"></button>
<button type="button" id="win-attackers"></button><button type="button" id="win-defenders"></button></div>
<h3>${texts.lessons}</h3><div class="buttons">${[1, 2, 3, 4, 5, 6].map((n) => `<button type="button" id="lesson-${n}">${fill(texts.lesson, { n })}</button>`).join("")}</div>`;
  desk.once("undo", () => ({ command: "undo" }));
  desk.once("hint", () => ({ command: "hint" }));
  desk.once("pause", () => ({ command: "pause" }));
  desk.once("resume", () => ({ command: "resume" }));
  desk.twice("new-game", () => ({ command: "new-game" }));
  desk.twice("swap", () => ({ command: "new-game", swap_sides: true }));
  desk.twice("agree", () => ({ command: "agree-draw" }));
  desk.twice("undecidable", () => ({ command: "declare-undecidable" }));
  for (const side of ["attackers", "defenders"]) {
    desk.twice(`resign-${side}`, () => ({ command: "resign", side }));
    desk.twice(`win-${side}`, () => ({ command: "declare-result", winner: side }));
  }
  for (let n = 1; n <= 6; n++) desk.twice(`lesson-${n}`, () => ({ command: "start-lesson", number: n }));
}

function renderSettings() {
  /** @type {any} */
  const settings = /** @type {any} */ (table.snapshot)?.settings;
  if (settings === undefined) return;
  const { desk: texts } = words;
  const html = `<h2>${texts.settings}</h2>
<label class="field"><span>${texts.brightness}</span><input type="range" data-setting="brightness" min="0.05" max="1" step="0.05" value="${settings.brightness}"></label>
${selectHtml("palette", texts.palette, ["default", "deuteranopia", "high-contrast"], settings.palette)}
${selectHtml("language", texts.language, LANGUAGES, settings.language)}
${["hints", "danger", "sound"].map((name) => `<label class="field"><span>${/** @type {any} */ (texts)[name]}</span><input type="checkbox" data-setting="${name}"${settings[name] ? " checked" : ""}></label>`).join("")}`;
  const place = byId("settings");
  if (place.dataset.html === html || place.contains(document.activeElement)) return;
  place.dataset.html = place.innerHTML = html;
}

/** @param {string} setting @param {string} text @param {string[]} values @param {string} chosen @returns {string} */
function selectHtml(setting, text, values, chosen) {
  const options = values.map((value) => `<option${value === chosen ? " selected" : ""}>${value}</option>`);
  return `<label class="field"><span>${text}</span><select data-setting="${setting}">${options.join("")}</select></label>`;
}

function bindSettings() {
  byId("settings").addEventListener("change", (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement || input instanceof HTMLSelectElement)) return;
    const on = input instanceof HTMLInputElement && input.type === "checkbox";
    const value = on ? (/** @type {HTMLInputElement} */ (input).checked ? "on" : "off") : input.value;
    void desk.send({ command: "change-setting", setting: input.dataset.setting, value });
    input.blur();
  });
}

async function renderAll() {
  renderPlay();
  renderNamed(table.snapshot?.variant ?? "market");
  renderStatus();
  renderSettings();
  await choose(byId("choose"), desk, table);
  editor?.render();
  await bench?.load();
  showConfiguration(byId("configuration"));
  await showArchive(byId("archive"));
}

async function bindLanguage() {
  const select = /** @type {HTMLSelectElement} */ (byId("language"));
  select.innerHTML = LANGUAGES.map((code) => `<option value="${code}">${code.toUpperCase()}</option>`).join("");
  select.value = preferred();
  select.addEventListener("change", async () => {
    remember(select.value);
    await use(select.value);
    await renderAll();
  });
}

/** @param {"online" | "offline" | "board-offline"} state */
function showState(state) {
  const node = byId("connection");
  node.hidden = state === "online";
  node.textContent = state === "offline" ? words.ui.offline : words.ui.boardOffline;
}

async function start() {
  await bindLanguage();
  await use(preferred());
  const about = await request("/api/page");
  if (about.body.operator !== true) {
    byId("login").hidden = false;
    if (new URLSearchParams(location.search).has("wrong")) byId("login-wrong").textContent = words.desk.wrong;
    return;
  }
  byId("desk").hidden = false;
  editor = new Editor(byId("correct"), table, desk);
  bench = new WorkBench(byId("work"), table, desk);
  bindSettings();
  table.listeners.push(renderStatus, renderSettings);
  new Line({ snapshot: (snapshot) => table.show(snapshot), leds: (lit) => table.light(lit), state: showState });
  await renderAll();
  setInterval(() => void showHealth(byId("health")), 2_000);
  await showHealth(byId("health"));
}

void start();
