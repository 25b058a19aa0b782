// Loads the calculator's code at its first use, or at once where the page's query has a plan. Until then the form shows
// what the server calculated for the values in it.

const calculator = "[data-sizing-calculator]";

async function start(form: HTMLFormElement): Promise<void> {
  try {
    (await import("./sizing-calculator.client")).startCalculator(form);
    delete form.dataset.failed;
  } catch {
    // Hides the figures, which would be the same whatever is typed, and says what to do.
    form.dataset.failed = "";
  }
}

/** Starts the calculator at once where the page's query has a plan. */
export function startFromAddress(): void {
  const form = document.querySelector<HTMLFormElement>(calculator);
  if (form && location.search) start(form);
}

startFromAddress();
document.addEventListener("focusin", ({ target }) => {
  const form = target instanceof Element && target.closest<HTMLFormElement>(calculator);
  if (form) start(form);
});
