// @ts-check
/** Light or dark: as the system says, until the visitor says otherwise. */

const KEY = "boardctl.theme";

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
  if (theme !== null) document.documentElement.dataset.theme = theme;
  button.addEventListener("click", () => {
    const dark = getComputedStyle(document.documentElement).getPropertyValue("--dark").trim() === "1";
    const next = dark ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // The choice lasts as long as the page.
    }
  });
}
