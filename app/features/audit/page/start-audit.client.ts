// Loads the audit at the first use of its page, or at once where this tab has a report.

const place = "[data-audit]";

async function start(root: HTMLElement): Promise<void> {
  try {
    (await import("./audit-page.client")).startAudit(root);
    delete root.dataset.failed;
  } catch {
    root.dataset.failed = "";
  }
}

/** Starts the audit where this tab has a report of before. */
export function startIfRemembered(): void {
  const root = document.querySelector<HTMLElement>(place);
  try {
    if (root && sessionStorage.getItem("audit")) start(root);
  } catch {
    // Storage may be forbidden: then nothing is remembered.
  }
}

startIfRemembered();

for (const type of ["focusin", "dragover", "change"])
  document.addEventListener(type, (event) => {
    const root = event.target instanceof Element && event.target.closest<HTMLElement>(place);
    if (!root) return;
    // A file that is dropped before the audit is loaded must not be opened in place of the page.
    if (type === "dragover") event.preventDefault();
    start(root);
  });
