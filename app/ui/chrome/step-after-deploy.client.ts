// After a deploy the files of a page that was not visited yet are gone. React Router then loads the open page anew, and
// the visitor would have to press the link again: this goes on to the page that they asked for. Browsers without the
// Navigation API stay on the page. No other script of ours may ask for a reload: it is stopped.

/** The address of the link that was pressed last, until the browser has gone anywhere. */
let destination: string | undefined;

document.addEventListener(
  "click",
  ({ target }) => {
    const link = target instanceof Element ? target.closest("a") : null;
    destination = link?.target === "" ? link.href : undefined;
  },
  { capture: true },
);

// What a form sent is left alone: its page says what became of it.
document.addEventListener("submit", () => {
  destination = undefined;
});

// In development no file is gone, and Vite reloads the page itself.
if (import.meta.env.PROD && "navigation" in window) {
  window.navigation.addEventListener("navigate", (event) => {
    const next = destination;
    destination = undefined;
    if (event.navigationType !== "reload" || event.userInitiated || !event.cancelable) return;
    // A link that is only pointed at is fetched too: that is no reason to leave the page, or to give up a navigation.
    event.preventDefault();
    if (next) window.location.assign(next);
  });
}
