/** The part of Turnstile's `api.js` that we use, typed after Cloudflare's reference. */
type Turnstile = {
  render(
    container: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      theme: "light" | "dark";
      size: "flexible" | "compact";
      callback(): void;
      "error-callback"(code: string): boolean;
    },
  ): string | undefined;
  reset(widget: string): void;
  remove(widget: string): void;
  getResponse(widget: string): string | undefined;
};

/** The smallest width in pixels for Turnstile's flexible widget. */
const flexibleWidth = 300;

let loading: Promise<Turnstile> | undefined;

/** Loads the script once. After a failure the next call tries again. */
function loadTurnstile(src: string): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement("script");
    script.addEventListener("load", () => {
      const { turnstile } = window as { turnstile?: Turnstile };
      if (turnstile) resolve(turnstile);
      else reject(new Error("Turnstile's script did not do its work"));
    });
    script.addEventListener("error", () => reject(new Error("Turnstile's script did not load")));
    script.async = true;
    script.src = src;
    document.head.appendChild(script);
  }).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

export type Widget = {
  hasToken(): boolean;
  /** Makes a new token: each is valid once, so after a form was sent the next one needs another. */
  renew(): void;
  remove(): void;
};

/** Shows the widget in an element. The widget adds a hidden field with the token to the form around it. */
export async function showWidget(
  box: HTMLElement,
  { siteKey, script, action }: { siteKey: string; script: string; action: string },
  told: { passed(): void; failed(): void },
): Promise<Widget> {
  const turnstile = await loadTurnstile(script);
  const id = turnstile.render(box, {
    sitekey: siteKey,
    action,
    theme: document.documentElement.classList.contains("dark") ? "dark" : "light",
    size: box.clientWidth < flexibleWidth ? "compact" : "flexible",
    callback: told.passed,
    "error-callback": () => {
      told.failed();
      // True tells Turnstile that the error is handled, so that it does not log it too.
      return true;
    },
  });
  if (!id) throw new Error("Turnstile's widget was not shown");
  return {
    hasToken: () => Boolean(turnstile.getResponse(id)),
    renew: () => turnstile.reset(id),
    remove: () => turnstile.remove(id),
  };
}
