// Loads the audit at the first use of its page, or at once where this tab has a report.

const place = "[data-audit]";

async function start(root: HTMLElement): Promise<void> {
  try {
    (await import("./audit-page.client")).startAudit(root);
    delete root.dataset.failed;
    root.dataset.started = "";
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

for (const type of ["focusin", "dragover", "change", "click"])
  document.addEventListener(type, async (event) => {
    const root = event.target instanceof Element && event.target.closest<HTMLElement>(place);
    if (!root) return;
    // A file that is dropped before the audit is loaded must not be opened in place of the page.
    if (type === "dragover") event.preventDefault();
    const isEarly = root.dataset.started === undefined;
    const button = event.target.closest("button");
    await start(root);
    // A press that came while the audit was loaded is not lost.
    if (type === "click" && isEarly && root.dataset.started !== undefined) button?.click();
  });
