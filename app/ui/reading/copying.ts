const messageMs = 2_000;

/** Says on the button, and to screen readers by the status after it, what came of copying. */
export async function showOutcome(
  button: Element,
  copied: Promise<void>,
  label: string,
  failure: string,
): Promise<void> {
  const show = (words: string, announced = words) => {
    button.textContent = words;
    const { nextElementSibling: status } = button;
    if (status) status.textContent = announced;
  };
  show(
    await copied.then(
      () => "Copied",
      () => failure,
    ),
  );
  setTimeout(show, messageMs, label, "");
}
