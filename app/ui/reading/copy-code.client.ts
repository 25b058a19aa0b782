import { showOutcome } from "./copying";

/** Copies a code block. See `compile.ts` of the build. */
document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element && target.closest("[data-copies-code]");
  if (!button) return;
  const copied = copy(button.previousElementSibling?.textContent ?? "");
  showOutcome(button, copied, "Copy", "Not allowed: mark the text and copy it");
});

/** A browser may have no clipboard at all. */
async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
