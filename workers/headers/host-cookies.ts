import type { Configuration } from "~/platform/env/configuration.server";

/**
 * Browsers accept a cookie with this prefix only over HTTPS, from this very host and for all its paths. So a
 * subdomain or a page without HTTPS cannot set one.
 */
const prefix = "__Host-";

const isHttps = ({ SITE_URL }: Configuration) => SITE_URL.startsWith("https://");

/**
 * The request as the application sees it. On HTTPS it has only the cookies with the prefix, and the prefix is
 * removed. A browser has one cookie of each such name, so a name that comes twice was not sent by a browser: both are
 * dropped.
 */
export function withOwnCookies(request: Request, configuration: Configuration): Request {
  const sent = request.headers.get("cookie");
  if (sent === null || !isHttps(configuration)) return request;
  const hostCookies = new Map<string, string[]>();
  for (const pair of sent.split(";").map((each) => each.replace(/^[ \t]+|[ \t]+$/g, ""))) {
    const end = pair.indexOf("=");
    if (!pair.startsWith(prefix) || end <= prefix.length) continue;
    const name = pair.slice(prefix.length, end).trimEnd();
    hostCookies.set(name, [...(hostCookies.get(name) ?? []), pair.slice(end + 1)]);
  }
  const forwarded = [...hostCookies].flatMap(([name, [value, ...more]]) =>
    more.length > 0 ? [] : [`${name}=${value}`],
  );
  const headers = new Headers(request.headers);
  if (forwarded.length > 0) headers.set("cookie", forwarded.join("; "));
  else headers.delete("cookie");
  return new Request(request, { headers });
}

/**
 * The response as the browser gets it. On HTTPS every cookie gets the prefix, and the attributes that the prefix
 * demands. Session cookies from before the prefix was introduced are not read any more, and are removed.
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

/** The most cookies that one answer removes. A session had far fewer; others were not set by us. */
const maxRemovals = 20;

/** The names of a session's cookies that a browser sends without the prefix. */
function formerSessionCookies(sent: Request): string[] {
  const pairs = sent.headers.get("cookie")?.split(";") ?? [];
  const names = pairs.map((pair) => /^\s*(sb-[\w.-]+)\s*=/.exec(pair)?.[1]);
  const named = names.filter((name) => name !== undefined);
  return [...new Set(named)].slice(0, maxRemovals);
}

function hostCookie(line: string): string {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const others = attributes.filter((each) => !/^(path|domain|secure)(=|$)/i.test(each));
  return [prefix + pair, ...others, "Path=/", "Secure"].join("; ");
}
