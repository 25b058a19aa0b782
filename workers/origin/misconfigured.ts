import { log } from "~/platform/log/log.server";
import { safetyHeaders } from "../headers/security-headers";

/** Logs which variables are missing or malformed. */
export function reportProblems(problems: readonly string[]): void {
  log.error("The Worker is not configured", { problems: problems.join("; ") });
}

/**
 * The only answer of a Worker with missing or malformed variables: it could fail in the middle of a purchase. The log
 * names the variables; the page does not.
 */
export function misconfigured(problems: readonly string[], requestId: string): Response {
  reportProblems(problems);
  return new Response(
    "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>" +
      "<title>Not available</title><h1>This site is not set up yet</h1>" +
      "<p>Its operator has been told what is missing. Please come back later.</p>" +
      `<p>Request id: ${requestId}</p></html>`,
    {
      status: 500,
      headers: {
        ...safetyHeaders,
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      },
    },
  );
}
