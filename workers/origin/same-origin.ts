import type { Configuration } from "~/platform/env/configuration.server";
import { log, routeOf } from "~/platform/log/log.server";
import { reportsPath } from "../headers/security-headers";
import { isOwnOrigin } from "./own-origin";

/**
 * Paths for programs, which prove themselves by a signature or a bearer token. Cookies are not read there, so a
 * foreign page gains nothing if it makes a browser post to them.
 */
const forPrograms = new Set([
  "/api/stripe/webhook",
  "/api/model-config",
  "/api/token-usage",
  // Browsers send these reports by themselves; they change nothing.
  reportsPath,
]);

/**
 * The API of workspaces, whatever stands where an id should: it answers for itself. React Router's own suffix is for
 * pages.
 */
const isApi = (path: string): boolean => path.startsWith("/api/v1/") && !path.endsWith(".data");

/**
 * Refuses requests that may change something and do not come from our own pages. Browsers send `Origin` with every
 * such request, so a missing one is refused too. React Router alone would accept a missing one, and does not check
 * resource routes at all.
 */
export function refuseForeignOrigin(
  request: Request,
  configuration: Configuration,
): Response | undefined {
  if (request.method === "GET" || request.method === "HEAD") return;
  const url = new URL(request.url);
  if (forPrograms.has(url.pathname) || isApi(url.pathname)) return;
  const origin = request.headers.get("origin");
  if (isOwnOrigin(origin, url, configuration)) return;
  log.warn("A request from elsewhere was refused", {
    route: routeOf(request),
    origin: origin === null ? "none" : origin === "null" ? "opaque" : "foreign",
  });
  const sentence = "This request did not come from our site. Open the page again and retry.";
  return url.pathname.startsWith("/api/")
    ? Response.json({ error: sentence }, { status: 403, headers: { "cache-control": "no-store" } })
    : new Response(sentence, {
        status: 403,
        headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
      });
}
