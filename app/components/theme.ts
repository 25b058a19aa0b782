/** Where the choice is kept, as the text `true` or `false`. */
const darkModeKey = "darkMode";

/** What browsers paint around the page: --paper of each theme. */
export const themeColors = { light: "#fafaf7", dark: "#0c1310" } as const;

/**
 * Runs before the first paint: sets the theme (the stored choice, or else the system's) and shows
 * signed-in people their way to the dashboard. It is the same on every page, so it can be cached.
 */
export const firstPaintScript = `
(function (root) {
  root.classList.add("js");
  var stored = null;
  try { stored = localStorage.getItem("${darkModeKey}"); } catch (e) {}
  var dark = stored === null ? matchMedia("(prefers-color-scheme: dark)").matches : stored === "true";
  root.classList.toggle("dark", dark);
  document.querySelectorAll("meta[name=theme-color]").forEach(function (meta) {
    meta.media = (meta.content === "${themeColors.dark}") === dark ? "all" : "not all";
  });
  root.classList.toggle("signed-in", /(^|; )signed-in=1(;|$)/.test(document.cookie));
})(document.documentElement);
`.trim();

/** Flips the theme, and keeps the choice for the next visit where the browser allows it. */
export function toggleDarkMode(): void {
  const dark = document.documentElement.classList.toggle("dark");
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    meta.media = (meta.content === themeColors.dark) === dark ? "all" : "not all";
  }
  try {
    localStorage.setItem(darkModeKey, String(dark));
  } catch {
    // Storage may be forbidden: the choice then holds for this page.
  }
}
