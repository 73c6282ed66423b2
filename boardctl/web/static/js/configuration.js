// @ts-check
/** The configuration in force: each value and where it comes from. Nothing can be changed here. */

import { words } from "./i18n.js";
import { request } from "./net.js";
import { escape } from "./panel.js";

/** @typedef {{kind: "default" | "file" | "environment" | "table", name?: string}} Source */
/** @typedef {{key: string, value: string, source: Source, text: string, allowed: string}} Key */
/** @typedef {{section: string, about: string, keys: Key[]}} Section */

/** Asks when it is opened: few operators want to know.
 * @param {HTMLElement} place */
export function showConfiguration(place) {
  const { desk: texts } = words;
  place.innerHTML = `<h2>${texts.configuration}</h2><details><summary>${texts.configurationHelp}</summary><div class="sections"></div></details>`;
  const details = /** @type {HTMLDetailsElement} */ (place.querySelector("details"));
  details.addEventListener("toggle", async () => {
    if (!details.open) return;
    const { status, body } = await request("/api/configuration");
    /** @type {Section[]} */
    const sections = status === 200 ? body.sections : [];
    const html = status === 200 ? sections.map(sectionHtml).join("") : `<p class="notice">${escape(String(body.error ?? status))}</p>`;
    /** @type {HTMLElement} */ (details.querySelector(".sections")).innerHTML = html;
  });
}

/** @param {Section} section @returns {string} */
function sectionHtml({ section, about, keys }) {
  const rows = keys.map(({ key, value, source, text, allowed }) => {
    const shown = value === "" ? `<span class="soft">${words.desk.leftOut}</span>` : `<code>${escape(value)}</code>`;
    return `<tr class="from-${source.kind}"><th scope="row" title="${escape(`${text} (${allowed})`)}"><code>${broken(key)}</code></th><td>${shown}</td><td>${broken(sourceText(source))}</td></tr>`;
  });
  return `<table class="keys"><caption title="${escape(about)}"><code>[${escape(section)}]</code></caption><thead class="hidden"><tr><th>${words.desk.key}</th><th>${words.desk.value}</th><th>${words.desk.source}</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** @param {string} name @returns {string} as HTML, which may be broken at its underscores */
function broken(name) {
  return escape(name).replaceAll("_", "_<wbr>");
}

/** @param {Source} source @returns {string} */
function sourceText({ kind, name }) {
  return kind === "file" || kind === "environment" ? name ?? kind : words.desk.sources[kind];
}
