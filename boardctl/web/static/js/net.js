// @ts-check
/** The line to the table. */

/** The server says something at least every 15 s; a line that is silent for so long is dead. */
const SILENCE_MS = 40_000;
const RETRY_MS = 2_000;

/**
 * @typedef {object} Listeners
 * @property {(snapshot: import("./record.js").Snapshot) => void} snapshot
 * @property {(lit: Record<string, string>) => void} leds
 * @property {(state: "online" | "offline" | "board-offline") => void} state
 */

/** Follows the table for ever: connects again by itself and says when it cannot. */
export class Line {
  /** @param {Listeners} listeners */
  constructor(listeners) {
    this.listeners = listeners;
    /** @type {EventSource | null} */
    this.source = null;
    this.boardOnline = true;
    this.heardAt = 0;
    this.retry = 0;
    this.#open();
    setInterval(() => this.#watch(), 5_000);
    addEventListener("online", () => this.#open());
    document.addEventListener("visibilitychange", () => this.#watch());
  }

  #open() {
    clearTimeout(this.retry);
    this.source?.close();
    const source = new EventSource("/api/events?leds=1");
    this.source = source;
    this.heardAt = performance.now();
    source.onmessage = (event) => this.#heard(() => this.listeners.snapshot(JSON.parse(event.data)));
    source.addEventListener("leds", (event) => this.#heard(() => this.listeners.leds(JSON.parse(event.data))));
    source.addEventListener("ping", () => this.#heard(() => undefined));
    source.addEventListener("board", (event) => {
      this.boardOnline = JSON.parse(event.data).online;
      this.#heard(() => undefined);
    });
    source.onerror = () => {
      this.listeners.state("offline");
      if (source.readyState === EventSource.CLOSED) this.retry = setTimeout(() => this.#open(), RETRY_MS);
    };
  }

  /** @param {() => void} then */
  #heard(then) {
    this.heardAt = performance.now();
    this.listeners.state(this.boardOnline ? "online" : "board-offline");
    then();
  }

  #watch() {
    if (performance.now() - this.heardAt > SILENCE_MS) {
      this.listeners.state("offline");
      this.#open();
    }
  }
}

/**
 * @param {string} path @param {object} body
 * @returns {Promise<{status: number, body: any}>} status 0: the server was not reached
 */
export async function post(path, body) {
  return request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
}

/** @param {string} path @param {RequestInit} [options] @returns {Promise<{status: number, body: any}>} */
export async function request(path, options) {
  try {
    const response = await fetch(path, { ...options, credentials: "same-origin", cache: "no-store" });
    const text = await response.text();
    try {
      return { status: response.status, body: JSON.parse(text) };
    } catch {
      return { status: response.status, body: { error: text } };
    }
  } catch (error) {
    return { status: 0, body: { error: String(error) } };
  }
}
