/** `origin` replaces the page's own; null leaves it out, as no browser does. */
export type BrowserRequest = RequestInit & { origin?: string | null; duplex?: "half" };

/** A browser without script: keeps cookies per host, follows redirects, sends an Origin. */
export class Browser {
  readonly siteUrl: string;
  readonly #jars = new Map<string, Map<string, string>>();

  constructor(siteUrl: string) {
    this.siteUrl = siteUrl;
  }

  /** One request, redirects not followed. Paths are the site's. */
  async request(target: string, { origin, ...init }: BrowserRequest = {}): Promise<Response> {
    const url = new URL(target, this.siteUrl);
    const jar = this.jarOf(url);
    const headers = new Headers(init.headers);
    headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    if (origin) headers.set("origin", origin);
    else if (origin === undefined && init.method && init.method !== "GET") {
      headers.set("origin", url.origin);
    }
    const response = await this.send(url, { ...init, headers });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = cookie.split(";");
      const name = pair.slice(0, pair.indexOf("="));
      if (attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))) jar.delete(name);
      else jar.set(name, pair.slice(name.length + 1));
    }
    return response;
  }

  /** Sends it over the wire. */
  protected send(url: URL, init: RequestInit): Promise<Response> {
    return fetch(url, { ...init, redirect: "manual" });
  }

  /** Posts a form as a page without script does. */
  post(target: string, fields: Record<string, string>, init: BrowserRequest = {}) {
    return this.request(target, { ...init, method: "POST", body: new URLSearchParams(fields) });
  }

  /**
   * Follows redirects to the page at their end; answers it and its address. A page at `goal` is not
   * asked for: the answer is then the redirect that names it.
   */
  async arrive(
    response: Response,
    from: string,
    goal?: string,
  ): Promise<{ url: URL; response: Response }> {
    let url = new URL(from, this.siteUrl);
    let current = response;
    for (let hops = 0; hops < 12; hops++) {
      const location = current.headers.get("location");
      if (!location || current.status < 300 || current.status > 399) break;
      url = new URL(location, url);
      if (url.origin === this.siteUrl && url.pathname === goal) break;
      current = await this.request(url.href);
    }
    return { url, response: current };
  }

  /** The cookies of the host that an address names. */
  protected jarOf(url: URL): Map<string, string> {
    const jar = this.#jars.get(url.host) ?? new Map<string, string>();
    this.#jars.set(url.host, jar);
    return jar;
  }
}
