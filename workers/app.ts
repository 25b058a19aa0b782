import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { reconcile } from "~/billing/reconciliation.server";
import { type Configuration, readConfiguration } from "~/configuration/configuration.server";
import { discardUnread } from "~/request/body.server";
import { requestContext } from "~/request/request-context";
import { canonicalAddress } from "./canonical-address";
import { misconfigured, reportProblems } from "./misconfigured";
import { cacheablePaths } from "./page-cache/cacheable-paths";
import { servePage } from "./page-cache/page-cache";
import { pageKey, pagePathOf } from "./page-cache/page-key";
import { publicPages } from "./public-pages";
import { refuseForeignOrigin } from "./same-origin";
import { secure } from "./security-headers";

const handle = createRequestHandler(build, import.meta.env.MODE);
const isCacheable = cacheablePaths(build.routes);
const everybodysPages = publicPages(build.routes);

export default {
  async fetch(request, env, ctx) {
    const reading = readConfiguration(env);
    if (!reading.ok) return misconfigured(reading.problems);
    const { configuration } = reading;
    const url = new URL(request.url);
    const reads = request.method === "GET" || request.method === "HEAD";
    const pagePath = pagePathOf(url.pathname);
    if (reads && isCacheable(pagePath) && !import.meta.env.DEV) {
      const key = pageKey(url, pagePath, env.VERSION.id);
      if (key) {
        // Nothing of the visitor reaches the render: the page is the same for everybody.
        const render = () => respond(new Request(key.url), configuration, env, ctx);
        const waitUntil = ctx.waitUntil.bind(ctx);
        // Nobody reads a body here, and unread it would cut the connection before the next request.
        await discardUnread(request);
        return servePage(request, { key, kv: env.PAGE_CACHE, render, waitUntil });
      }
    }
    const response = await respond(reads ? asGet(request) : request, configuration, env, ctx);
    // A public page's policy speaks to our page cache, and this answer does not come from there.
    if (/s-maxage/.test(response.headers.get("cache-control") ?? "")) {
      response.headers.set("cache-control", "no-store");
    }
    return request.method === "HEAD" ? new Response(null, response) : response;
  },

  /** The cron trigger of wrangler.toml. Only Cloudflare can start it: no address leads here. */
  async scheduled({ scheduledTime }, env) {
    const reading = readConfiguration(env);
    if (!reading.ok) return reportProblems(reading.problems);
    await reconcile(reading.configuration, scheduledTime);
  },
} satisfies ExportedHandler<Env>;

/** One request to the application, with the safety headers on whatever it answers. */
async function respond(
  request: Request,
  configuration: Configuration,
  bindings: Env,
  ctx: ExecutionContext,
): Promise<Response> {
  const requestId = request.headers.get("cf-ray") ?? crypto.randomUUID();
  const nonce = crypto.randomUUID();
  const context = new RouterContextProvider();
  context.set(requestContext, {
    configuration,
    bindings,
    requestId,
    nonce,
    publicPages: everybodysPages,
    waitUntil: (work) => ctx.waitUntil(work),
  });
  const response =
    canonicalAddress(request) ??
    refuseForeignOrigin(request, configuration) ??
    (await handle(request, context));
  await discardUnread(request);
  return secure(response, { configuration, requestId, nonce });
}

/** HEAD is answered with the headers of GET, so it is rendered as one. */
function asGet(request: Request): Request {
  return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
}
