// @ts-check
/** Hands for the simulated board: they close and open its switches, and do nothing else. */

import { centre, squareAt } from "./board.js";
import { bindFaults, faultsHtml } from "./faults.js";
import { fill, namesIn, words } from "./i18n.js";
import { post } from "./net.js";
import { bindNoise, noiseHtml } from "./noise.js";
import { byId } from "./panel.js";
import { closedOf, coordinates, FILES, kindOf } from "./record.js";
import { iconSvg } from "./pieces.js";

/** @typedef {import("./table.js").Table} Table */

/** Squares in one push, at most: a line over the whole board. */
const LONGEST_PUSH = 9;

/** Milliseconds between the pieces when all are put in their places. */
const STEP_MS = 60;

/** Readings before a game: its pieces may be put up by one push of a button. */
const BEFORE = new Set(["setup", "attract", "menu", "lot"]);

/**
 * @param {string} from @param {string} to
 * @returns {string[] | null} the squares after *from* up to *to* along a row or column; null: not on one line
 */
function between(from, to) {
  const [file, rank] = coordinates(from);
  const [files, ranks] = [coordinates(to)[0] - file, coordinates(to)[1] - rank];
  if (files !== 0 && ranks !== 0) return null;
  const steps = Math.abs(files + ranks);
  return Array.from({ length: steps }, (_, n) => FILES[file + Math.sign(files) * (n + 1)] + (rank + 1 + Math.sign(ranks) * (n + 1)));
}

export class Hands {
  /** @param {Table} table @param {HTMLElement} panel @param {(text: string) => void} say */
  constructor(table, panel, say) {
    this.table = table;
    this.panel = panel;
    this.say = say;
    this.slides = false;
    this.busy = false;
    /** The square the keyboard is on. */
    this.cursor = "e5";
    /** The piece the keyboard holds. @type {{id: string, from: string} | null} */
    this.carried = null;
    /** Where each pointer's piece is felt now; null: in the air. @type {Map<number, string | null>} */
    this.felt = new Map();
    /** The squares of a push that waits for its turn; what is pushed on meanwhile joins it. @type {string[] | null} */
    this.waiting = null;
    /** @type {Promise<unknown>} */
    this.queue = Promise.resolve();
    /** Who waits for a snapshot. @type {Set<() => void>} */
    this.watchers = new Set();
    this.place = table.board.place;
    this.place.classList.add("playable");
    this.#panel();
    bindFaults(panel);
    bindNoise(panel);
    this.#bindPointers();
    this.#bindKeys();
    table.listeners.push(() => {
      for (const look of [...this.watchers]) look();
      this.#refresh();
    });
    document.addEventListener("boardctl-language", () => this.#panel());
  }

  #panel() {
    const mode = (/** @type {string} */ value, /** @type {string} */ text) =>
      `<label><input type="radio" name="hand" value="${value}"${(value === "slide") === this.slides ? " checked" : ""}><span>${text}</span></label>`;
    this.panel.hidden = false;
    this.panel.innerHTML = `<h2>${words.demo.title}</h2><p class="help">${words.demo.help} <span class="keys">${words.demo.keys}</span></p>
<div class="demo-row"><div class="modes" role="radiogroup" aria-label="${words.demo.title}">${mode("lift", words.demo.lift)}${mode("slide", words.demo.slide)}</div>
<button type="button" id="set-up">${words.demo.setup}</button></div><div id="tray" class="tray" aria-label="${words.demo.tray}" role="group"></div>${noiseHtml()}${faultsHtml()}`;
    for (const input of this.panel.querySelectorAll("input")) {
      input.addEventListener("change", () => {
        this.slides = input.value === "slide";
      });
    }
    byId("set-up").addEventListener("click", () => this.setUp());
    this.place.setAttribute("role", "application");
    this.place.tabIndex = 0;
    this.#refresh();
  }

  #refresh() {
    const snapshot = this.table.snapshot;
    if (snapshot === null) return;
    const off = this.table.offBoard;
    const html = off.map((id) => `<button type="button" class="spare" data-id="${id}" aria-label="${this.#nameOf(id)}">${iconSvg(id, snapshot.variant)}</button>`).join("");
    const tray = byId("tray");
    if (tray.innerHTML !== html) tray.innerHTML = html;
    const wrong = snapshot.missing.length + snapshot.extra.length > 0 || snapshot.outcome !== null || BEFORE.has(snapshot.reading);
    const button = /** @type {HTMLButtonElement} */ (byId("set-up"));
    button.hidden = !wrong;
    button.textContent = snapshot.outcome === null ? words.demo.setup : words.demo.again;
  }

  /** @param {string} id */
  #nameOf(id) {
    const names = namesIn(words, this.table.snapshot?.variant ?? "market");
    const kind = id === "?" ? "T" : kindOf(id);
    return kind === "K" ? names.king : kind === "t" ? names.attackers : names.defenders;
  }

  /** @param {"lift" | "put"} what @param {string} square */
  tell(what, square) {
    const closed = what === "put";
    this.waiting = null;
    this.table.told.set(square, closed);
    return this.#order({ [what]: square }, () => [[square, closed]]);
  }

  /** A piece is pushed on; the table pushes it at its own speed. @param {string} from @param {string[]} path */
  #push(from, path) {
    const { waiting } = this;
    if (waiting !== null && waiting[waiting.length - 1] === from && waiting.length + path.length <= LONGEST_PUSH) {
      waiting.push(...path);
      return;
    }
    const squares = [from, ...path];
    this.waiting = squares;
    void this.queue.then(() => {
      if (this.waiting === squares) this.waiting = null;
    });
    void this.#order({ slide: squares }, () => [[from, false], [squares[squares.length - 1], true]]);
  }

  /**
   * Tell the switches something; one after the other, in the order of the hand. The next may follow as soon as a
   * snapshot shows the change: the answer itself comes only when the table has made up its mind.
   * @param {object} body @param {() => [string, boolean][]} changes squares, and whether a piece is felt there then
   */
  #order(body, changes) {
    this.queue = this.queue.then(() => {
      const told = changes();
      for (const [square, closed] of told) this.table.told.set(square, closed);
      const answered = post("/api/sim", body).then(({ status }) => {
        if (status !== 200) this.#undo(told);
      });
      return this.#seen(told, answered);
    });
    return this.queue;
  }

  /** The board did not obey: draw what it says. @param {[string, boolean][]} told */
  #undo(told) {
    for (const [square, closed] of told) if (this.table.told.get(square) === closed) this.table.told.delete(square);
    if (this.table.snapshot !== null) this.table.show(this.table.snapshot);
  }

  /**
   * @param {[string, boolean][]} told @param {Promise<void>} answered
   * @returns {Promise<void>} when a snapshot shows it, or the answer is there
   */
  #seen(told, answered) {
    return new Promise((done) => {
      const look = () => {
        const { snapshot } = this.table;
        const closed = snapshot === null ? null : closedOf(snapshot);
        if (closed !== null && told.every(([square, there]) => closed.has(square) === there)) finish();
      };
      const finish = () => {
        this.watchers.delete(look);
        done();
      };
      this.watchers.add(look);
      void answered.then(finish);
      look();
    });
  }

  #bindPointers() {
    this.place.addEventListener("pointerdown", (event) => {
      const square = squareAt(...this.table.board.pointOf(event));
      const id = square === null ? undefined : this.table.standing.get(square);
      if (square !== null && id !== undefined) this.#grasp(event, id, square);
    });
    this.panel.addEventListener("pointerdown", (event) => {
      const spare = event.target instanceof Element ? event.target.closest(".spare") : null;
      if (spare instanceof HTMLElement && spare.dataset.id !== undefined) this.#grasp(event, spare.dataset.id, null);
    });
    addEventListener("pointermove", (event) => this.#carry(event));
    addEventListener("pointerup", (event) => this.#release(event));
    addEventListener("pointercancel", (event) => this.#release(event));
    this.place.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** @param {PointerEvent} event @param {string} id @param {string | null} from */
  #grasp(event, id, from) {
    if (event.button !== 0 || this.table.held.has(event.pointerId) || this.busy) return;
    event.preventDefault();
    if (this.table.looking !== null) this.table.look(null);
    const [x, y] = this.table.board.pointOf(event);
    this.table.held.set(event.pointerId, { id, x, y });
    this.felt.set(event.pointerId, from);
    if (from !== null) {
      this.table.standing.delete(from);
      if (!this.slides) this.#leave(event.pointerId, from);
    }
    this.table.draw();
    this.#refresh();
  }

  /** @param {number} pointer @param {string} square */
  #leave(pointer, square) {
    this.felt.set(pointer, null);
    void this.tell("lift", square);
  }

  /** @param {PointerEvent} event */
  #carry(event) {
    const held = this.table.held.get(event.pointerId);
    if (held === undefined) return;
    [held.x, held.y] = this.table.board.pointOf(event);
    if (this.slides) this.#slide(event.pointerId, squareAt(held.x, held.y));
    this.table.draw();
  }

  /**
   * A magnet pushed over the wood opens the switches it leaves and closes those it reaches, as wide as they feel it.
   * @param {number} pointer @param {string | null} square under the hand
   */
  #slide(pointer, square) {
    const felt = this.felt.get(pointer) ?? null;
    if (square === felt || (square !== null && this.table.standing.has(square))) return;
    const path = felt === null || square === null ? null : between(felt, square);
    if (path === null || path.some((step) => this.table.standing.has(step))) {
      if (felt !== null) this.#leave(pointer, felt);
      return;
    }
    this.felt.set(pointer, path[path.length - 1]);
    this.#push(/** @type {string} */ (felt), path);
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const held = this.table.held.get(event.pointerId);
    if (held === undefined) return;
    // A cancelled pointer has no place of its own: the piece falls where it was last.
    if (event.type === "pointerup") [held.x, held.y] = this.table.board.pointOf(event);
    const square = squareAt(held.x, held.y);
    this.table.held.delete(event.pointerId);
    const felt = this.felt.get(event.pointerId) ?? null;
    this.felt.delete(event.pointerId);
    if (felt !== null) this.#letGo(held.id, felt, felt);
    else this.#letGo(held.id, square === null || this.table.standing.has(square) ? null : square, null);
  }

  /** @param {string} id @param {string | null} square where it stands now @param {string | null} felt where it is felt already */
  #letGo(id, square, felt) {
    if (square !== null) {
      this.table.standing.set(square, id);
      if (felt === null) void this.tell("put", square);
    }
    this.table.draw();
    this.#refresh();
  }

  #bindKeys() {
    this.place.addEventListener("focus", () => this.#showCursor());
    this.place.addEventListener("blur", () => this.table.board.setCursor(null));
    this.place.addEventListener("keydown", (event) => {
      /** @type {Record<string, () => void>} */
      const keys = {
        ArrowLeft: () => this.#go(-1, 0), ArrowRight: () => this.#go(1, 0), ArrowUp: () => this.#go(0, 1), ArrowDown: () => this.#go(0, -1),
        Enter: () => this.#act(), " ": () => this.#act(), Delete: () => this.#takeOff(), Backspace: () => this.#takeOff(), Escape: () => this.#putBack(),
      };
      const act = keys[event.key];
      if (act === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      act();
    });
  }

  #showCursor() {
    if (this.place.matches(":focus-visible")) this.table.board.setCursor(this.cursor);
  }

  /** @param {number} files @param {number} ranks */
  #go(files, ranks) {
    const file = Math.min(8, Math.max(0, FILES.indexOf(this.cursor[0]) + files));
    const rank = Math.min(9, Math.max(1, Number(this.cursor[1]) + ranks));
    this.cursor = FILES[file] + rank;
    this.table.board.setCursor(this.cursor);
    const id = this.table.standing.get(this.cursor);
    this.say(fill(words.demo.cursor, { square: this.cursor, piece: id === undefined ? words.demo.empty : this.#nameOf(id) }));
    this.#showCarried();
  }

  #act() {
    if (this.carried === null) this.#liftAtCursor();
    else if (this.table.standing.has(this.cursor)) this.say(words.demo.busy);
    else {
      const { id } = this.carried;
      this.#drop();
      this.#letGo(id, this.cursor, null);
      this.say(fill(words.demo.put, { square: this.cursor }));
    }
  }

  #liftAtCursor() {
    const id = this.table.standing.get(this.cursor);
    if (id === undefined) return;
    this.carried = { id, from: this.cursor };
    this.table.standing.delete(this.cursor);
    void this.tell("lift", this.cursor);
    this.#showCarried();
    this.say(fill(words.demo.lifted, { square: this.cursor }));
  }

  #takeOff() {
    const square = this.cursor;
    if (this.carried === null && this.table.standing.has(square)) {
      this.#liftAtCursor();
      this.say(fill(words.demo.removed, { square }));
    }
    this.#drop();
    this.table.draw();
    this.#refresh();
  }

  #putBack() {
    if (this.carried === null) return;
    const { id, from } = this.carried;
    this.#drop();
    this.#letGo(id, this.table.standing.has(from) ? null : from, null);
  }

  #drop() {
    this.carried = null;
    this.table.held.delete(-1);
  }

  #showCarried() {
    if (this.carried === null) return;
    const [x, y] = centre(this.cursor);
    this.table.held.set(-1, { id: this.carried.id, x, y: y - 12 });
    this.table.draw();
  }

  /** Put every piece where the table wants it: for a new game all at once, in a game one after the other. */
  async setUp() {
    const snapshot = this.table.snapshot;
    if (snapshot === null || this.busy) return;
    this.#setBusy(true);
    try {
      if (snapshot.outcome !== null || BEFORE.has(snapshot.reading)) {
        this.table.told.clear();
        await post("/api/sim", { setup: true });
      } else await this.#repair();
    } finally {
      this.#setBusy(false);
    }
  }

  /** While pieces move by themselves, hands keep off. @param {boolean} busy */
  #setBusy(busy) {
    this.busy = busy;
    this.panel.setAttribute("aria-busy", String(busy));
  }

  /** What stands wrong is taken off, what lacks is put. */
  async #repair() {
    const goal = this.table.frame.squares;
    const wrong = [...this.table.standing.keys()].filter((square) => !goal.has(square));
    for (const square of wrong) await this.#robot("lift", square);
    for (const [square, id] of goal) {
      if (this.table.standing.has(square)) continue;
      this.table.standing.set(square, id);
      await this.#robot("put", square);
    }
  }

  /** @param {"lift" | "put"} what @param {string} square */
  async #robot(what, square) {
    if (what === "lift") this.table.standing.delete(square);
    await this.tell(what, square);
    this.table.draw();
    await new Promise((done) => setTimeout(done, STEP_MS));
  }
}
