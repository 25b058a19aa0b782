import type { Configuration } from "~/platform/env/configuration.server";
import { log, routeOf } from "~/platform/log/log.server";
import { reportsPath } from "../headers/security-headers";
import { isOwnOrigin } from "./own-origin";

/**
 * What callers that are no browsers ask for. They prove themselves otherwise, by a signature or a
 * bearer token, and no cookie is looked at there: a browser has nothing to send that would count.
 */
const forPrograms = new Set([
  "/api/stripe/webhook",
  "/api/model-config",
  "/api/token-usage",
  // Browsers send these by themselves, as no page does; they change nothing.
  reportsPath,
]);

/**
 * Anything that may change something must come from our own pages. Browsers send Origin with every
 * such request, so a missing one is refused too; React Router alone would let it pass, and it does
 * not look at resource routes at all.
 */
export function refuseForeignOrigin(
  request: Request,
  configuration: Configuration,
): Response | undefined {
  if (request.method === "GET" || request.method === "HEAD") return;
  const url = new URL(request.url);
  if (forPrograms.has(url.pathname)) return;
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
