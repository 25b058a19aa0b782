import { signedInHint } from "../../http/cookies.ts";

/** Where the choice is kept, as the text `true` or `false`. */
const darkModeKey = "darkMode";

/** What browsers paint around the page: --paper of each theme. */
export const themeColors = { light: "#fafaf7", dark: "#0c1310" } as const;

/**
 * Runs before the first paint: sets the theme (the stored choice, or else the system's) and shows
 * signed-in people their way to the dashboard. What the auth server says in a fragment, where no
 * Worker sees it, is taken to the page that has words for it; an error without a code only where the address has no
 * query, since browsers keep the fragment when a page that handled the refusal redirects. It is the same on every page,
 * so it can be cached. It runs again when somebody chose in another tab, when the browser shows a page that it
 * has held in memory, as it was left, and when React has written the document anew. When the page's own script cannot be loaded, as after a deploy, it marks the page, so
 * that whatever needs that script is hidden.
 */
export const firstPaintScript = `
((root) => {
  const show = () => {
    root.classList.add("js");
    let stored;
    try {
      stored = localStorage.getItem("${darkModeKey}");
      const carried = /^${darkModeKey}=(true|false)$/.exec(window.name);
      if (carried) {
        window.name = "";
        if (!stored) localStorage.setItem("${darkModeKey}", (stored = carried[1]));
      }
    } catch {
      stored = root.dataset.dark;
    }
    const dark = stored ? stored === "true" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.classList.toggle("dark", dark);
    for (const meta of document.querySelectorAll("meta[name=theme-color]")) {
      meta.media = (meta.content === "${themeColors.dark}") === dark ? "all" : "not all";
    }
    const hint = (location.protocol === "https:" ? "__Host-" : "") + "${signedInHint}=1";
    root.classList.toggle("signed-in", document.cookie.split("; ").includes(hint));
  };
  show();
  addEventListener("storage", show);
  addEventListener("pageshow", ({ persisted }) => persisted && show());
  addEventListener("error", ({ target }) => {
    if (target.type === "module") root.classList.add("script-failed");
  }, true);
  const { hash, search } = location;
  if (/[#&]error_code=/.test(hash) || (/[#&]error=/.test(hash) && !search)) {
    location.replace("/signin?" + hash.slice(1));
  }
})(document.documentElement);
`;

/** Runs the first-paint script again. It listens: from other tabs the event comes from the browser. */
export function showDocumentState(): void {
  dispatchEvent(new Event("storage"));
}

/** Flips the theme, and keeps the choice for the next visit where the browser allows it, else for this page. */
export function toggleDarkMode(): void {
  const { classList, dataset } = document.documentElement;
  dataset.dark = String(!classList.contains("dark"));
  try {
    localStorage.setItem(darkModeKey, dataset.dark);
  } catch {
    // Storage may be forbidden.
  }
  showDocumentState();
}

/**
 * Before a form is sent that may sign out: the answer empties the browser's storage, and the choice of
 * the theme is the one thing there that is nobody's secret. The window's name outlives that.
 */
export function carryThemeOver(): void {
  try {
    const stored = localStorage.getItem(darkModeKey);
    if (stored !== null) window.name = `${darkModeKey}=${stored}`;
  } catch {
    // Without storage there is no choice to keep.
  }
}
