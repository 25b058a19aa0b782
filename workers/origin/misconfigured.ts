import { log } from "~/platform/log/log.server";
import { safetyHeaders } from "../headers/security-headers";

/** Tells the operator which variables are missing or malformed, and nobody else. */
export function reportProblems(problems: readonly string[]): void {
  log.error("The Worker is not configured", { problems: problems.join("; ") });
}

/**
 * The only answer of a Worker whose variables are incomplete: better no site than a checkout that
 * half works. The log names the variables; the visitor learns nothing about them.
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
