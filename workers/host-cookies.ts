import type { Configuration } from "~/configuration/configuration.server";

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

/** The response as the browser gets it: on HTTPS every cookie has the prefix and what it asks for. */
export function withHostCookies(response: Response, configuration: Configuration): Response {
  const lines = response.headers.getSetCookie();
  if (lines.length === 0 || !isHttps(configuration)) return response;
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  for (const line of lines) headers.append("set-cookie", hostCookie(line));
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

function hostCookie(line: string): string {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const others = attributes.filter((each) => !/^(path|domain|secure)(=|$)/i.test(each));
  return [prefix + pair, ...others, "Path=/", "Secure"].join("; ");
}
