// @ts-check
/** Light or dark: as the system says, until the visitor says otherwise. */

import { byId } from "./panel.js";

const KEY = "boardctl.theme";

/** For which media the sheet of the light theme holds; as it is written in the page: as the system says. */
const MEDIA = { light: "all", dark: "not all" };

/** @param {"light" | "dark"} theme */
function use(theme) {
  /** @type {HTMLLinkElement} */ (byId("light")).media = MEDIA[theme];
}

/** @param {HTMLElement} button */
export function followTheme(button) {
  let theme = null;
  try {
    theme = localStorage.getItem(KEY);
  } catch {
    // Nothing is remembered, then.
  }
  const asked = new URLSearchParams(location.search).get("theme");
  if (asked === "light" || asked === "dark") theme = asked;
  if (theme === "light" || theme === "dark") use(theme);
  button.addEventListener("click", () => {
    const dark = getComputedStyle(document.documentElement).getPropertyValue("--dark").trim() === "1";
    const next = dark ? "light" : "dark";
    use(next);
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // The choice lasts as long as the page.
    }
  });
}
