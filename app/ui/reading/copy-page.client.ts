import { showOutcome } from "./copying";

/** Copies the page as Markdown. See `reading-page.tsx`. */
document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element && target.closest<HTMLElement>("[data-copies-page]");
  if (!button) return;
  const copied = copyFile(button.dataset.copiesPage ?? "");
  showOutcome(button, copied, "Copy as Markdown", "Not copied: view it instead");
});

/** Copies a Markdown file, its links made absolute: they lead on from wherever it is pasted. */
async function copyFile(address: string): Promise<void> {
  // Safari copies nothing after a wait, but waits itself for what it was given at once.
  const text = fetch(address).then(async (response) => {
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    const absolute = (await response.text()).replaceAll("](/", `](${location.origin}/`);
    return new Blob([absolute], { type: "text/plain" });
  });
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
}
