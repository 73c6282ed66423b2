// @ts-check
/** The page at `/`. */

import { Board } from "./board.js";
import { LANGUAGES, preferred, remember, use, words } from "./i18n.js";
import { Line, request } from "./net.js";
import { boardText, byId, newsText, renderPanel, renderRules, showCurrentMove } from "./panel.js";
import { install } from "./pieces.js";
import { replay } from "./replay.js";
import { Table } from "./table.js";
import { followTheme } from "./theme.js";

install();
followTheme(byId("theme"));
const board = new Board(byId("board"));
const table = new Table(board);
let announced = -1;
let news = "";
let state = "offline";

function render() {
  renderPanel(table);
  byId("board").setAttribute("aria-label", boardText(table));
  const rules = /** @type {HTMLDialogElement} */ (byId("rules"));
  if (rules.open && table.snapshot !== null) renderRules(table.snapshot);
  announce();
}

/** Tell those who listen what has happened, and nothing twice. */
function announce() {
  const text = announced < 0 ? "" : newsText(table, announced);
  announced = table.plies;
  if (text !== news && text !== "") byId("news").textContent = text;
  news = text;
}

/** @param {"online" | "offline" | "board-offline"} next */
function showState(next) {
  state = next;
  const node = byId("connection");
  node.hidden = next === "online";
  node.textContent = next === "offline" ? words.ui.offline : words.ui.boardOffline;
  document.body.classList.toggle("stale", next !== "online");
}

async function fillLanguages() {
  const select = /** @type {HTMLSelectElement} */ (byId("language"));
  for (const code of LANGUAGES) {
    const option = document.createElement("option");
    option.value = code;
    option.textContent = code.toUpperCase();
    select.append(option);
  }
  select.value = preferred();
  select.addEventListener("change", async () => {
    remember(select.value);
    await use(select.value);
    refresh();
  });
}

function refresh() {
  if (state !== "online") showState(/** @type {"offline"} */ (state));
  document.dispatchEvent(new Event("boardctl-language"));
  render();
}

function bindWalk() {
  byId("first").addEventListener("click", () => table.look(0));
  byId("previous").addEventListener("click", () => step(-1));
  byId("next").addEventListener("click", () => step(1));
  for (const id of ["latest", "back-to-live"]) byId(id).addEventListener("click", () => table.look(null));
  new ResizeObserver(showCurrentMove).observe(byId("moves"));
  byId("moves").addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button !== null) table.look(Number(button.dataset.ply));
  });
  addEventListener("keydown", (event) => {
    const busy = event.target instanceof HTMLElement && event.target.closest("select, input, [role=application]") !== null;
    if (busy || event.altKey || event.ctrlKey || event.metaKey) return;
    /** @type {Record<string, () => void>} */
    const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => table.look(0), End: () => table.look(null) };
    keys[event.key]?.();
  });
}

/** @param {number} by */
function step(by) {
  table.look((table.looking ?? table.plies) + by);
}

function bindRules() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("rules"));
  byId("open-rules").addEventListener("click", () => {
    if (table.snapshot !== null) renderRules(table.snapshot);
    dialog.showModal();
  });
  byId("close-rules").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

/** Show what only some pages have: the QR code, the operator's link, the simulated board. */
async function offer() {
  const about = await request("/api/page");
  if (about.body.visitors === true) showQr();
  byId("operator-link").hidden = about.body.operator !== true;
  if (about.body.demo === true) {
    const { Hands } = await import("./demo.js");
    new Hands(table, byId("demo"), (text) => {
      byId("news").textContent = text;
    });
  }
}

function showQr() {
  const qr = /** @type {HTMLImageElement} */ (byId("qr"));
  qr.src = "/qr.svg";
  qr.hidden = false;
  byId("visit-text").hidden = false;
}

async function start() {
  await fillLanguages();
  await use(preferred());
  byId("turn").textContent = words.ui.connecting;
  document.body.classList.toggle("kiosk", new URLSearchParams(location.search).has("kiosk"));
  table.listeners.push(render);
  bindWalk();
  bindRules();
  const game = new URLSearchParams(location.search).get("game");
  if (game !== null && (await replay(game, table))) return;
  new Line({ snapshot: (snapshot) => table.show(snapshot), leds: (lit) => table.light(lit), state: showState });
  await offer();
}

void start();
