/** One request as it arrived. */
export interface ReceivedRequest {
  method: string;
  path: string;
  /** A name that is repeated has its values in a list. */
  query: Record<string, string | readonly string[]>;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Parsed where it is JSON, otherwise the text; null without a body. */
  body: unknown;
}

const maxRequests = 2000;

/** The requests to the APIs, oldest first, so that tests can compare them with Google's reference. */
export class RequestLog {
  #requests: ReceivedRequest[] = [];

  add(request: Request, bytes: Uint8Array): void {
    const url = new URL(request.url);
    const text = new TextDecoder().decode(bytes);
    this.#requests.push({
      method: request.method,
      path: url.pathname,
      query: Object.fromEntries(
        [...new Set(url.searchParams.keys())].map((name) => [
          name,
          oneOrMany(url.searchParams.getAll(name)),
        ]),
      ),
      headers: Object.fromEntries(request.headers),
      body: text === "" ? null : (parsed(text) ?? text),
    });
    if (this.#requests.length > maxRequests) this.#requests.shift();
  }

  all(): readonly ReceivedRequest[] {
    return this.#requests;
  }

  clear(): void {
    this.#requests = [];
  }
}

function oneOrMany(values: readonly string[]): string | readonly string[] {
  const [only = ""] = values;
  return values.length > 1 ? values : only;
}

/** The JSON value of a text, or undefined. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
