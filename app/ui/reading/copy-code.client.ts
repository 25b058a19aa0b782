const shownMs = 2_000;

/** Copies a code block, and says on its button and to screen readers what came of it. See `compile.ts` of the build. */
document.addEventListener("click", async ({ target }) => {
  const button = target instanceof Element && target.closest("[data-copies-code]");
  if (!button) return;
  const { previousElementSibling: code, nextElementSibling: status } = button;
  let outcome = "Copied";
  try {
    await navigator.clipboard.writeText(code?.textContent ?? "");
  } catch {
    outcome = "Not allowed: mark the text and copy it";
  }
  const show = (label: string, said: string) => {
    button.textContent = label;
    if (status) status.textContent = said;
  };
  show(outcome, outcome);
  setTimeout(show, shownMs, "Copy", "");
});
