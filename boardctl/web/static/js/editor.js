// @ts-check
/** Correcting the position by dragging pieces. Nothing changes at the table before it is confirmed. */

import { Board, centre, squareAt } from "./board.js";
import { namesIn, words } from "./i18n.js";
import { byId } from "./panel.js";
import { iconSvg } from "./pieces.js";
import { formatPosition, kindOf, parsePosition } from "./record.js";

/** Pieces to drag in, one of each kind. */
const SPARES = ["te9", "Te6", "Ke5"];

export class Editor {
  /** @param {HTMLElement} place @param {import("./table.js").Table} table @param {import("./desk.js").Desk} desk */
  constructor(place, table, desk) {
    this.place = place;
    this.table = table;
    this.desk = desk;
    /** Pieces by square while editing; null: closed. @type {Map<string, string> | null} */
    this.squares = null;
    /** @type {{id: string, x: number, y: number} | null} */
    this.held = null;
    this.made = 0;
    addEventListener("pointermove", (event) => this.#carry(event));
    addEventListener("pointerup", (event) => this.#drop(event));
    addEventListener("pointercancel", (event) => this.#drop(event));
  }

  render() {
    const { desk: texts } = words;
    const head = `<h2>${texts.correct}</h2>`;
    if (this.squares === null) {
      this.place.innerHTML = `${head}<div class="buttons"><button type="button" id="edit">${texts.edit}</button><button type="button" id="as-board">${texts.asBoard}</button></div>`;
      byId("edit").addEventListener("click", () => this.#open());
      this.desk.twice("as-board", () => ({ command: "confirm-position" }));
      return;
    }
    const variant = this.table.snapshot?.variant ?? "market";
    const names = namesIn(words, variant);
    const side = this.table.snapshot?.side ?? "attackers";
    const radio = (/** @type {"attackers" | "defenders"} */ value) =>
      `<label><input type="radio" name="side" value="${value}"${value === side ? " checked" : ""}>${names[value]}</label>`;
    const spares = SPARES.map((id) => `<button type="button" data-spare="${id}" aria-label="${this.#nameOf(id)}">${iconSvg(id, variant)}</button>`);
    this.place.innerHTML = `${head}<p class="soft">${texts.correctHelp}</p><div id="editor" class="editor"></div>
<div class="spares"><span class="soft">${texts.kinds}</span>${spares.join("")}</div>
<fieldset class="radios"><legend class="soft">${words.ui.toMove}</legend>${radio("attackers")}${radio("defenders")}</fieldset>
<div class="buttons"><button type="button" id="use-position" class="primary">${texts.confirm}</button><button type="button" id="cancel-edit">${texts.cancel}</button></div>`;
    this.board = new Board(byId("editor"));
    this.board.setThrone(variant === "linnaeus");
    this.#bind();
    this.#draw();
  }

  /** @param {string} id */
  #nameOf(id) {
    const names = namesIn(words, this.table.snapshot?.variant ?? "market");
    return { t: names.attackers, T: names.defenders, K: names.king }[kindOf(id)];
  }

  #open() {
    const snapshot = this.table.snapshot;
    if (snapshot === null) return;
    this.squares = new Map([...parsePosition(snapshot.position)].map(([square, kind]) => [square, kind + square]));
    this.render();
  }

  #close() {
    this.squares = null;
    this.render();
  }

  #bind() {
    byId("cancel-edit").addEventListener("click", () => this.#close());
    byId("use-position").addEventListener("click", () => void this.#send());
    byId("editor").addEventListener("pointerdown", (event) => {
      const square = this.board === undefined ? null : squareAt(...this.board.pointOf(event));
      const id = square === null ? undefined : this.squares?.get(square);
      if (square === null || id === undefined) return;
      this.squares?.delete(square);
      this.#grasp(event, id);
    });
    for (const button of this.place.querySelectorAll("[data-spare]")) {
      button.addEventListener("pointerdown", (event) => {
        const kind = /** @type {HTMLElement} */ (button).dataset.spare ?? "te9";
        this.#grasp(/** @type {PointerEvent} */ (event), `${kind}+${this.made++}`);
      });
    }
  }

  /** @param {PointerEvent} event @param {string} id */
  #grasp(event, id) {
    event.preventDefault();
    if (this.board === undefined) return;
    const [x, y] = this.board.pointOf(event);
    this.held = { id, x, y };
    this.#draw();
  }

  /** @param {PointerEvent} event */
  #carry(event) {
    if (this.held === null || this.board === undefined) return;
    [this.held.x, this.held.y] = this.board.pointOf(event);
    this.#draw();
  }

  /** @param {PointerEvent} event */
  #drop(event) {
    if (this.held === null || this.board === undefined) return;
    const square = squareAt(...this.board.pointOf(event));
    if (square !== null) this.#put(square, this.held.id);
    this.held = null;
    this.#draw();
  }

  /** A king is only one: a second takes the place of the first. @param {string} square @param {string} id */
  #put(square, id) {
    for (const [at, other] of this.squares ?? []) {
      if (kindOf(id) === "K" && kindOf(other) === "K") this.squares?.delete(at);
    }
    this.squares?.set(square, id);
  }

  #draw() {
    /** @type {import("./board.js").Drawn[]} */
    const drawn = [...(this.squares ?? [])].map(([square, id]) => {
      const [x, y] = centre(square);
      return { id, square, x, y, state: "on" };
    });
    if (this.held !== null) drawn.push({ ...this.held, square: null, state: "hand" });
    this.board?.setPieces(drawn, this.table.snapshot?.variant ?? "market");
  }

  async #send() {
    const kinds = new Map([...(this.squares ?? [])].map(([square, id]) => [square, kindOf(id)]));
    const side = /** @type {HTMLInputElement | null} */ (this.place.querySelector("input[name=side]:checked"))?.value;
    if (await this.desk.send({ command: "confirm-position", position: formatPosition(kinds), side })) this.#close();
  }
}
