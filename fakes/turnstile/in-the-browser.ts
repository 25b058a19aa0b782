/** What the frame sends to the page that it is in. */
type FrameMessage = { turnstileFake: string; token?: string; error?: string };

type Options = {
  sitekey: string;
  action?: string;
  cData?: string;
  theme?: string;
  size?: string;
  callback?: (token: string) => void;
  "error-callback"?: (code: string) => unknown;
  "response-field-name"?: string;
};

/**
 * The fake's `api.js`: the part of Turnstile's interface for explicit rendering that our page uses. The browser gets
 * it as source text, so it must not use anything else of this module.
 */
export function installTurnstile(origin: string): void {
  type Widget = { frame: HTMLIFrameElement; field: HTMLInputElement; options: Options };
  const widgets = new Map<string, Widget>();
  const address = (id: string, { sitekey, action = "", cData = "", theme = "" }: Options) =>
    `${origin}/turnstile/v0/frame?${new URLSearchParams({ id, sitekey, action, cdata: cData, theme })}`;

  addEventListener("message", (event) => {
    if (event.origin !== origin) return;
    const { turnstileFake: id, token, error } = event.data as FrameMessage;
    const widget = widgets.get(id);
    if (!widget || event.source !== widget.frame.contentWindow) return;
    widget.field.value = token ?? "";
    if (token) widget.options.callback?.(token);
    else if (error) widget.options["error-callback"]?.(error);
  });

  const turnstile = {
    render(container: HTMLElement, options: Options) {
      const id = `cf-chl-widget-${crypto.randomUUID().slice(0, 5)}`;
      const frame = document.createElement("iframe");
      const field = document.createElement("input");
      field.type = "hidden";
      field.name = options["response-field-name"] ?? "cf-turnstile-response";
      frame.title = "Widget containing a Cloudflare security challenge";
      frame.id = id;
      frame.width = options.size === "compact" ? "150" : "100%";
      frame.height = options.size === "compact" ? "140" : "65";
      frame.src = address(id, options);
      widgets.set(id, { frame, field, options });
      container.appendChild(frame);
      container.appendChild(field);
      return id;
    },
    reset(id: string) {
      const widget = widgets.get(id);
      if (!widget) return;
      widget.field.value = "";
      widget.frame.src = address(id, widget.options);
    },
    remove(id: string) {
      const widget = widgets.get(id);
      widget?.frame.remove();
      widget?.field.remove();
      widgets.delete(id);
    },
    getResponse: (id: string) => widgets.get(id)?.field.value || undefined,
  };
  Object.assign(window, { turnstile });
}

/** The script of the frame: asks for a token at once, at a press, or never, as the fake's mode says. */
export function runFrame(mode: string, solution: object & { id: string }): void {
  const send = (message: object) =>
    parent.postMessage({ turnstileFake: solution.id, ...message }, "*");
  const solve = async () => {
    const answer = await fetch("/turnstile/v0/solve", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(solution),
    });
    if (!answer.ok) return send({ error: "110100" });
    const { token } = (await answer.json()) as { token: string };
    const line = document.querySelector("p");
    if (line) line.textContent = "Success!";
    send({ token });
  };
  if (mode === "block") send({ error: "300030" });
  else if (mode === "pass") void solve();
  else document.querySelector("input")?.addEventListener("change", () => void solve());
}
