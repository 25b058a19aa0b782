// After a deploy the files of a page that was not visited yet are gone. React Router then loads the open page anew, and
// the visitor would have to press the link again: this goes on to the page that they asked for. Browsers without the
// Navigation API stay on the page.

/** The address of the link that was pressed last, until the browser has gone anywhere. */
let wanted: string | undefined;

document.addEventListener(
  "click",
  ({ target }) => {
    const link = target instanceof Element ? target.closest("a") : null;
    wanted = link?.target === "" ? link.href : undefined;
  },
  { capture: true },
);

// What a form sent is left alone: its page says what became of it.
document.addEventListener("submit", () => {
  wanted = undefined;
});

if ("navigation" in window) {
  window.navigation.addEventListener("navigate", (event) => {
    const next = wanted;
    wanted = undefined;
    if (!next || event.navigationType !== "reload" || !event.cancelable) return;
    event.preventDefault();
    window.location.assign(next);
  });
}
