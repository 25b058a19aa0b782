import { randomBytes } from "node:crypto";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { portBase, startOwnWorker } from "./own-site.ts";
import { Visitor } from "./visitor.ts";

const siteUrl = "https://site.example";

/** A Worker of a site on HTTPS, and browsers that ask it. */
export async function startHttpsSite() {
  const worker = await startOwnWorker(() => ({
    ...exampleVariables({ siteUrl, portBase }),
    COOKIE_SECRET: randomBytes(32).toString("base64"),
    STRIPE_WEBHOOK_SECRET: "whsec_of_this_test",
  }));

  class HttpsVisitor extends Visitor {
    constructor() {
      super(siteUrl);
    }
    protected override async send(url: URL, init: RequestInit): Promise<Response> {
      if (url.origin !== siteUrl) return super.send(url, init);
      const { method = "GET", body } = init;
      const headers = Object.fromEntries(new Headers(init.headers));
      const isForm = body instanceof URLSearchParams;
      const answer = await worker.askAt(url.href, {
        method,
        headers: isForm
          ? { ...headers, "content-type": "application/x-www-form-urlencoded" }
          : headers,
        ...(body != null && { body: String(body) }),
      });
      return new Response(answer.body || null, {
        status: answer.status,
        headers: [...answer.headers],
      });
    }
  }
  return {
    open: () => new HttpsVisitor(),
    ask: (path: string, headers: Record<string, string>) =>
      worker.askAt(siteUrl + path, { headers }),
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}
