// @ts-check
/** Self test and calibration: begun and watched here, led by the lights of the table itself. */

import { fill, words } from "./i18n.js";
import { request } from "./net.js";
import { escape } from "./panel.js";
import { SQUARES } from "./record.js";

/** @typedef {{kind: "self-test" | "calibration", working: boolean, task: string, square: string | null, squares: Record<string, string>,
 *   closed: string[], problems: string[], notes: string[], maps: string}} Report */

/** Readings of a game in play, which must be paused first. */
const PLAYING = new Set(["in-sync", "in-hand", "remove-captured", "choose-victim", "mismatch"]);

const COMMANDS = /** @type {const} */ ({ "self-test": "self-test", calibration: "calibrate" });

export class WorkBench {
  /** @param {HTMLElement} place @param {import("./table.js").Table} table @param {import("./desk.js").Desk} desk */
  constructor(place, table, desk) {
    this.place = place;
    this.table = table;
    this.desk = desk;
    /** @type {Report | null} */
    this.report = null;
    /** What the snapshot said when the report was asked for. */
    this.seen = "null";
    this.asking = false;
    /** The work that waits for the answer whether the game may be paused. @type {keyof typeof COMMANDS | null} */
    this.question = null;
    place.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button") : null;
      if (button !== null) void this.#act(button.dataset.deed ?? "");
    });
    table.listeners.push(() => void this.#follow());
  }

  /** Ask for the report in words whenever the snapshot tells of something new. */
  async #follow() {
    const told = JSON.stringify(this.table.snapshot?.work ?? null);
    if (this.asking || told === this.seen) return;
    this.asking = true;
    this.seen = told;
    await this.load();
    this.asking = false;
    void this.#follow();
  }

  async load() {
    const { status, body } = await request(`/api/work?lang=${words.code}`);
    if (status === 200) this.report = body.work;
    this.render();
  }

  /** @param {string} deed */
  async #act(deed) {
    if (deed === "self-test" || deed === "calibration") {
      this.question = PLAYING.has(this.table.snapshot?.reading ?? "") ? deed : null;
      if (this.question === null) await this.desk.send({ command: COMMANDS[deed] });
      this.render();
    } else if (deed === "pause-and-begin" && this.question !== null) {
      const work = this.question;
      this.question = null;
      if (await this.desk.send({ command: "pause" })) await this.desk.send({ command: COMMANDS[work] });
      this.render();
    } else if (deed === "leave-it") {
      this.question = null;
      this.render();
    } else if (deed !== "") await this.desk.send({ command: deed });
  }

  render() {
    const { work: texts } = words;
    const { report } = this;
    const body = report === null ? `<p class="soft">${texts.help}</p>` : report.working ? workingHtml(report) : doneHtml(report);
    const begin = report?.working ? "" : this.question === null ? beginHtml() : questionHtml(this.question);
    const html = `<h2>${texts.title}</h2>${body}${begin}`;
    if (this.place.dataset.html === html) return;
    const focused = document.activeElement instanceof HTMLElement && this.place.contains(document.activeElement) ? document.activeElement.dataset.deed : undefined;
    this.place.dataset.html = this.place.innerHTML = html;
    // What was pressed may still be there: who works by keys goes on from it.
    if (focused !== undefined) /** @type {HTMLElement | null} */ (this.place.querySelector(`[data-deed="${focused}"]`))?.focus();
  }
}

/** @param {string} deed @param {string} text @returns {string} */
function buttonHtml(deed, text) {
  return `<button type="button" data-deed="${deed}">${text}</button>`;
}

/** @returns {string} */
function beginHtml() {
  return `<div class="buttons">${buttonHtml("self-test", words.work["self-test"])}${buttonHtml("calibration", words.work.calibration)}</div>`;
}

/** @param {keyof typeof COMMANDS} work @returns {string} */
function questionHtml(work) {
  const text = fill(words.work.question, { work: words.work[work] });
  return `<p class="notice" role="alert">${escape(text)}</p><div class="buttons">${buttonHtml("pause-and-begin", words.work.pauseAndBegin)}${buttonHtml("leave-it", words.desk.cancel)}</div>`;
}

/** @param {Report} report @returns {string} */
function workingHtml(report) {
  const known = Object.keys(report.squares).length;
  return `<h3>${words.work[report.kind]}: ${escape(fill(words.work.progress, { n: known }))}</h3>
<p class="task" role="status">${escape(fill(report.task, {}))}</p>${mapHtml(report)}
<div class="buttons">${buttonHtml("skip-step", words.work.skip)}${buttonHtml("end-work", words.work.end)}</div>`;
}

/** @param {Report} report @returns {string} */
function doneHtml(report) {
  const good = Object.values(report.squares).filter((mark) => mark === "good").length;
  const problems = report.problems.map((line) => `<li>${escape(fill(line, {}))}</li>`).join("");
  const notes = report.notes.map((line) => `<li>${escape(fill(line, {}))}</li>`).join("");
  const maps = report.maps === "" ? "" : `<label class="maps"><span>${words.work.maps}</span><textarea readonly rows="8">${escape(report.maps)}</textarea></label>`;
  return `<h3>${words.work[report.kind]}: ${escape(fill(words.work.good, { n: good }))}</h3>${mapHtml(report)}
${problems === "" ? "" : `<ul class="problems">${problems}</ul>`}${notes === "" ? "" : `<ul class="soft">${notes}</ul>`}${maps}
<div class="buttons">${buttonHtml("end-work", words.work.putAway)}</div>`;
}

/** @param {Report} report @returns {string} */
function mapHtml(report) {
  const cells = SQUARES.map((square, n) => {
    const [x, y] = [(n % 9) * 10, (8 - Math.floor(n / 9)) * 10];
    const mark = report.squares[square] ?? "open";
    const now = square === report.square ? " asked" : "";
    const closed = report.closed.includes(square) ? `<circle cx="${x + 5}" cy="${y + 5}" r="2.6"/>` : "";
    /** @type {Record<string, string>} */
    const marks = words.work.marks;
    return `<g class="${mark}${now}"><title>${square}: ${escape(marks[mark])}</title><rect x="${x}" y="${y}" width="10" height="10" rx="1.5"/>${closed}<text x="${x + 5}" y="${y + 6.4}">${mark === "good" ? "✓" : mark === "open" || mark === "switch" ? "" : "!"}</text></g>`;
  });
  return `<svg class="heat work-map" viewBox="0 0 90 90" role="img" aria-label="${words.work.map}">${cells.join("")}</svg>`;
}
