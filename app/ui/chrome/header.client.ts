import { toggleDarkMode } from "./theme";

// What the header does in a browser, with React and without: it listens at the document, before React runs too.

const openMenu = () => document.querySelector<HTMLDetailsElement>("details[data-menu][open]");

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  const themeButtons = target.closest("[data-toggles-theme]")?.querySelectorAll("button");
  if (themeButtons) toggleDarkMode();
  // The button that shows now takes the focus over; the other one is hidden and cannot.
  for (const button of themeButtons ?? []) button.focus();
  const menu = openMenu();
  if (menu?.contains(target) && target.closest("a")) menu.open = false;
});

document.addEventListener("pointerdown", (event) => {
  const menu = openMenu();
  if (menu && !event.composedPath().includes(menu)) menu.open = false;
});

// An open menu would hide what has the focus after Tab left it.
document.addEventListener("focusin", ({ target }) => {
  const menu = openMenu();
  if (menu && target instanceof Node && !menu.contains(target)) menu.open = false;
});

document.addEventListener("keydown", ({ key }) => {
  const menu = openMenu();
  if (key !== "Escape" || !menu) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
});
