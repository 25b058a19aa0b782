/** How long somebody must pause before what they typed is sent. */
const pause = 700;

/**
 * Sends what stands in a form to `address` whenever somebody pauses after a change, and at once when the page goes
 * away. `onChangesSaved` gets the answer's JSON, or undefined when nothing was kept. Returns the function that ends it.
 */
export function keepChanges(
  form: HTMLFormElement,
  address: string,
  onChangesSaved: (answer: unknown) => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: AbortController | undefined;

  /** What is sent later says all that was sent before, so that nothing earlier may arrive after it. */
  function stop() {
    clearTimeout(timer);
    timer = undefined;
    sending?.abort();
  }
  function send() {
    if (timer === undefined) return;
    stop();
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    const request = new AbortController();
    sending = request;
    fetch(address, {
      method: "POST",
      body: new URLSearchParams(fields),
      keepalive: true,
      signal: request.signal,
    })
      .then(async (response) => onChangesSaved(response.ok ? await response.json() : undefined))
      .catch(() => {
        if (!request.signal.aborted) onChangesSaved(undefined);
      });
  }
  function onInput() {
    clearTimeout(timer);
    timer = setTimeout(send, pause);
  }
  function onHidden() {
    if (document.visibilityState === "hidden") send();
  }

  form.addEventListener("input", onInput);
  form.addEventListener("change", onInput);
  // Whatever is submitted takes the whole form with it.
  form.addEventListener("submit", stop);
  document.addEventListener("visibilitychange", onHidden);
  window.addEventListener("pagehide", send);
  return () => {
    send();
    form.removeEventListener("input", onInput);
    form.removeEventListener("change", onInput);
    form.removeEventListener("submit", stop);
    document.removeEventListener("visibilitychange", onHidden);
    window.removeEventListener("pagehide", send);
  };
}
