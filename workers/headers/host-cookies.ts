import type { Configuration } from "~/platform/env/configuration.server";

/**
 * Browsers take a cookie of such a name only over HTTPS, from this very host, for all its paths. None
 * that a subdomain or a page without HTTPS has planted can have it.
 */
const prefix = "__Host-";

const isHttps = ({ SITE_URL }: Configuration) => SITE_URL.startsWith("https://");

/**
 * The request as the application sees it: on HTTPS with the cookies of prefixed names alone, without
 * the prefix. A browser keeps one cookie of such a name; what comes twice was not sent by one, and
 * counts as not sent.
 */
export function withOwnCookies(request: Request, configuration: Configuration): Request {
  const sent = request.headers.get("cookie");
  if (sent === null || !isHttps(configuration)) return request;
  const own = new Map<string, string[]>();
  for (const pair of sent.split(";").map((each) => each.replace(/^[ \t]+|[ \t]+$/g, ""))) {
    const end = pair.indexOf("=");
    if (!pair.startsWith(prefix) || end <= prefix.length) continue;
    const name = pair.slice(prefix.length, end).trimEnd();
    own.set(name, [...(own.get(name) ?? []), pair.slice(end + 1)]);
  }
  const kept = [...own].flatMap(([name, [value, ...more]]) =>
    more.length > 0 ? [] : [`${name}=${value}`],
  );
  const headers = new Headers(request.headers);
  if (kept.length > 0) headers.set("cookie", kept.join("; "));
  else headers.delete("cookie");
  return new Request(request, { headers });
}

/**
 * The response as the browser gets it: on HTTPS every cookie has the prefix and what it asks for. A
 * session that was kept before there was a prefix is not read any more, and is removed from the browser.
 */
export function withHostCookies(
  response: Response,
  sent: Request,
  configuration: Configuration,
): Response {
  if (!isHttps(configuration)) return response;
  const lines = response.headers.getSetCookie().map(hostCookie);
  const removals = formerSessionCookies(sent).map(
    (name) => `${name}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`,
  );
  if (lines.length + removals.length === 0) return response;
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  for (const line of [...lines, ...removals]) headers.append("set-cookie", line);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

/** Far more than a session had; a browser that sends more has not got them from us. */
const maxRemovals = 20;

/** The names of a session's cookies that a browser sends without the prefix. */
function formerSessionCookies(sent: Request): string[] {
  const pairs = sent.headers.get("cookie")?.split(";") ?? [];
  const names = pairs.map((pair) => /^\s*(sb-[\w.-]+)\s*=/.exec(pair)?.[1]);
  const known = names.filter((name) => name !== undefined);
  return [...new Set(known)].slice(0, maxRemovals);
}

function hostCookie(line: string): string {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const others = attributes.filter((each) => !/^(path|domain|secure)(=|$)/i.test(each));
  return [prefix + pair, ...others, "Path=/", "Secure"].join("; ");
}
