// @ts-check
/** Commands to the table, and what became of them. */

import { fill, words } from "./i18n.js";
import { post } from "./net.js";
import { byId } from "./panel.js";

/** Milliseconds in which the second press must follow the first. */
const SURE_MS = 4_000;

export class Desk {
  /** @param {HTMLElement} toast */
  constructor(toast) {
    this.toast = toast;
    this.timer = 0;
  }

  /** @param {object} command @returns {Promise<boolean>} whether the table has obeyed */
  async send(command) {
    const answer = await post("/api/commands", command);
    if (answer.status === 401) location.assign("/operator");
    const obeyed = answer.status === 200;
    this.#tell(obeyed ? words.desk.done : fill(words.desk.refused, { reason: String(answer.body.error ?? answer.status) }), obeyed);
    return obeyed;
  }

  /** @param {string} text @param {boolean} good */
  #tell(text, good) {
    clearTimeout(this.timer);
    this.toast.textContent = text;
    this.toast.classList.toggle("bad", !good);
    this.toast.classList.add("shown");
    this.timer = setTimeout(() => this.toast.classList.remove("shown"), good ? 1_800 : 5_000);
  }

  /** A button that acts at once. @param {string} id @param {() => object} command */
  once(id, command) {
    byId(id).addEventListener("click", () => void this.send(command()));
  }

  /** A button that must be pressed twice: it ends or changes a game. @param {string} id @param {() => object} command */
  twice(id, command) {
    const button = byId(id);
    let timer = 0;
    let text = "";
    const calm = () => {
      clearTimeout(timer);
      button.classList.remove("sure");
      button.textContent = text;
    };
    button.addEventListener("click", () => {
      if (button.classList.contains("sure")) {
        calm();
        void this.send(command());
        return;
      }
      text = button.textContent ?? "";
      button.textContent = words.desk.sure;
      button.classList.add("sure");
      timer = setTimeout(calm, SURE_MS);
    });
  }
}
