import * as build from "virtual:react-router/server-build";
import { createRequestHandler, RouterContextProvider } from "react-router";
import { serveApi } from "~/features/api/site/serve.server";
import { endOldSessions } from "~/features/auth/session/live-session.server";
import { sendMails } from "~/features/billing/mails/send-mails.server";
import { reconcile } from "~/features/billing/reconciliation/reconciliation.server";
import { updateFleets } from "~/features/servers/connect/update-fleets.server";
import { removeEndedTrials } from "~/features/trial/remove-trials.server";
import { handOverEvents } from "~/features/webhooks/site/hand-over.server";
import { appContext, pagePermissions } from "~/http/app-context";
import { discardUnread } from "~/http/body.server";
import { callerOf } from "~/platform/caller";
import { removeExpired } from "~/platform/database/remove-expired.server";
import { type Configuration, readConfiguration } from "~/platform/env/configuration.server";
import { withRequestId } from "~/platform/log/log.server";
import { withHostCookies, withOwnCookies } from "./headers/host-cookies";
import { failed, underRequestId } from "./headers/request-id";
import { secure } from "./headers/security-headers";
import { hasAuthError, leadToSignIn } from "./origin/auth-errors-in-query";
import { canonicalAddress, canonicalPath } from "./origin/canonical-address";
import { misconfigured, reportProblems } from "./origin/misconfigured";
import { isAtOwnOrigin, leadToOwnOrigin } from "./origin/own-origin";
import { refuseForeignOrigin } from "./origin/same-origin";
import { forPageCache } from "./page-cache/cache-control";
import { cacheablePaths, publicPages } from "./page-cache/cacheable-paths";
import { servePage } from "./page-cache/page-cache";
import { pageKey, pagePathOf } from "./page-cache/page-key";

const handle = createRequestHandler(build, import.meta.env.MODE);
const isCacheable = cacheablePaths(build.routes);
const everybodysPages = publicPages(build.routes);

export default {
  fetch: (request, env, ctx) =>
    underRequestId(request, (requestId) => answer(request, env, ctx, requestId)),

  /** The cron trigger of wrangler.toml. Only Cloudflare can start it: no URL leads here. */
  scheduled({ scheduledTime }, env) {
    return withRequestId(crypto.randomUUID(), async () => {
      const reading = readConfiguration(env);
      if (!reading.ok) return reportProblems(reading.problems);
      await endOldSessions(reading.configuration, scheduledTime);
      await removeEndedTrials(reading.configuration, scheduledTime);
      // A minute without anything to reconcile or to mail takes three requests to the database.
      const worked = await reconcile(reading.configuration, scheduledTime);
      if (worked) await removeExpired(reading.configuration);
      await sendMails(reading.configuration);
      await updateFleets(reading.configuration, env);
      await handOverEvents(reading.configuration, env);
    });
  },
} satisfies ExportedHandler<Env>;

/** Answers a public page from the page cache, and everything else from the application. */
async function answer(
  request: Request,
  env: Env,
  ctx: ExecutionContext,
  requestId: string,
): Promise<Response> {
  const reading = readConfiguration(env);
  if (!reading.ok) return misconfigured(reading.problems, requestId);
  const { configuration } = reading;
  const scope = { configuration, bindings: env, ctx, requestId };
  const url = new URL(request.url);
  if (configuration.SERVERS_URL && new URL(configuration.SERVERS_URL).host === url.host) {
    const { body, status, headers, webSocket } = await env.SERVERS.fetch(request);
    // The headers of an answer from elsewhere cannot be added to.
    return new Response(body, { status, headers, webSocket });
  }
  const reads = request.method === "GET" || request.method === "HEAD";
  const pagePath = pagePathOf(url.pathname);
  const isPublic = reads && isCacheable(pagePath) && isAtOwnOrigin(url, configuration);
  const usesPageCache = isPublic && !hasAuthError(url);
  if (usesPageCache && !import.meta.env.DEV) {
    const key = pageKey(url, pagePath, env.VERSION.id);
    if (key) {
      // Nothing of the visitor reaches the render: the page is the same for everybody.
      const render = () => respond(new Request(key.url), { ...scope, isForPageCache: true });
      const waitUntil = ctx.waitUntil.bind(ctx);
      // A body that nobody reads would break the connection for the next request.
      await discardUnread(request);
      return servePage(request, { key, kv: env.PAGE_CACHE, render, waitUntil });
    }
  }
  const response = await respond(reads ? asGet(request) : request, scope);
  return request.method === "HEAD" ? new Response(null, response) : response;
}

type Scope = {
  configuration: Configuration;
  bindings: Env;
  ctx: ExecutionContext;
  requestId: string;
  /** Set if the page cache may keep the answer. Otherwise the answer is for one visitor. */
  isForPageCache?: true;
};

/** Answers a request from the application, with the security headers. */
async function respond(sent: Request, scope: Scope): Promise<Response> {
  const { configuration, bindings, ctx, requestId } = scope;
  const request = withOwnCookies(sent, configuration);
  const nonce = crypto.randomUUID();
  const context = new RouterContextProvider();
  context.set(appContext, {
    configuration,
    bindings,
    caller: callerOf(request),
    requestId,
    nonce,
    publicPages: everybodysPages,
    waitUntil: (work) => ctx.waitUntil(work),
  });
  const path = canonicalPath(new URL(request.url).pathname, isCacheable);
  const response =
    leadToOwnOrigin(request, path, configuration) ??
    canonicalAddress(request, path) ??
    refuseForeignOrigin(request, configuration) ??
    leadToSignIn(request) ??
    // React Router finds no route for a path with a line break, also where `*` is one.
    (/^\/api\/v1\/.*%(0a|0d|e2%80%a[89])/i.test(path)
      ? await serveApi(request, context.get(appContext))
      : await handle(request, context));
  await discardUnread(request);
  const readable = isLastResort(response) ? failed(requestId) : response;
  const cacheable = scope.isForPageCache ? forPageCache(readable) : readable;
  const withCookies = withHostCookies(cacheable, sent, configuration);
  const permissions = context.get(pagePermissions);
  return secure(withCookies, { configuration, nonce, path, permissions });
}

/** React Router's answer when a resource route throws, or when a page and its error page both throw. */
function isLastResort({ status, headers }: Response): boolean {
  return status === 500 && headers.get("content-type") === "text/plain";
}

/** HEAD is answered with the headers of GET, so it is rendered as one. */
function asGet(request: Request): Request {
  return request.method === "HEAD" ? new Request(request, { method: "GET" }) : request;
}
