// Opens the search of a page by its button and by Ctrl+K or Command+K. What searches is a file of its own that is
// loaded when it is wanted: search-dialog.client.ts.

async function open(dialog: HTMLDialogElement): Promise<void> {
  dialog.dataset.state = "loading";
  if (!dialog.open) dialog.showModal();
  try {
    await (await import("./search-dialog.client")).show(dialog);
  } catch {
    dialog.dataset.state = "failed";
  }
}

function listen(event: Event): void {
  const { type, target } = event;
  const dialog = document.querySelector<HTMLDialogElement>("dialog[data-index]");
  if (!dialog || !(target instanceof Element)) return;
  if (event instanceof KeyboardEvent) {
    if (event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    open(dialog);
  } else if (target.closest("[data-opens-search]")) {
    if (type === "click") open(dialog);
    // A reader who points at the button is about to press it. What fails now is tried again, and shown, when they do.
    else
      import("./search-dialog.client").then(({ loadIndex }) => loadIndex(dialog)).catch(() => {});
  }
}

for (const type of ["click", "keydown", "pointerover"]) document.addEventListener(type, listen);
