import { isFrameOrigin } from "~/features/deployments/embedded-test/embed";
import { mayConnect } from "~/features/servers/live/protocol";
import type { PagePermissions } from "~/http/app-context";
import { toBase64 } from "~/http/encodings";
import { sha256 } from "~/http/hashes";
import type { Configuration } from "~/platform/env/configuration.server";
import { type Provider, providerFacts } from "~/platform/env/providers";

type Rendered = {
  configuration: Configuration;
  nonce: string;
  path: string;
  permissions: PagePermissions | null;
};

/** The path to which browsers report violations of the content policy. */
export const reportsPath = "/csp-reports";

/** The headers of every answer, whatever made it. */
export const safetyHeaders: Readonly<Record<string, string>> = {
  "strict-transport-security": "max-age=63072000; includeSubDomains; preload",
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), usb=(), browsing-topics=()",
};

const withMicrophone =
  safetyHeaders["permissions-policy"]?.replace("microphone=()", "microphone=(self)") ?? "";

/**
 * Adds the security headers to a response: to pages, data, redirects and errors. Inline scripts that we rendered have
 * a nonce, which is replaced here by their hashes in the content policy. So the policy still fits a cached page, and
 * a script that somebody injected has no hash.
 */
export async function secure(response: Response, rendered: Rendered): Promise<Response> {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(safetyHeaders)) headers.set(name, value);
  // These URLs contain tokens, which must not reach any other address, not even our own logs. `no-referrer` would be
  // stricter, but browsers would then send the forms of these pages with `Origin: null`, which is refused.
  if (/^\/auth\//i.test(rendered.path)) headers.set("referrer-policy", "strict-origin");
  // Their paths are a right to write, and the fragments of their addresses a token.
  if (/^\/connection-test\//i.test(rendered.path)) headers.set("referrer-policy", "no-referrer");
  // Our limits count per minute.
  if (response.status === 429 && !headers.has("retry-after")) headers.set("retry-after", "60");
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  if (headers.has("set-cookie")) headers.set("cache-control", "private, no-store");
  const { status, statusText } = response;
  if (!response.body || !headers.get("content-type")?.startsWith("text/html")) {
    headers.set("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    return new Response(response.body, { status, statusText, headers });
  }
  const page = preloadScriptsLast(await response.text());
  const { html, hashes } = await exchangeNonceForHashes(page, rendered.nonce);
  const { permissions } = rendered;
  headers.set(
    "content-security-policy",
    documentPolicy(rendered, hashes, formTargets(page, rendered)),
  );
  // Google's window for an answer keeps its tie to the page.
  if (oneTapSources(rendered)) {
    headers.set("cross-origin-opener-policy", "same-origin-allow-popups");
  }
  if (permissions?.microphone) headers.set("permissions-policy", withMicrophone);
  headers.set("reporting-endpoints", `csp="${reportsPath}"`);
  return new Response(html, { status, statusText, headers });
}

/** Removes the nonce from the page and returns the CSP hashes of the inline scripts that had it. */
export async function exchangeNonceForHashes(page: string, nonce: string) {
  const [first = "", ...rest] = page.split(` nonce="${nonce}"`);
  const hashes = new Set<string>();
  let before = first;
  for (const after of rest) {
    const script = inlineScript(before, after);
    if (script !== undefined) hashes.add(await hashOf(script));
    before = after;
  }
  return { html: first + rest.join(""), hashes: [...hashes] };
}

/**
 * The inline script whose tag the nonce has divided into `before` and `after`; undefined for other tags and for
 * files.
 */
function inlineScript(before: string, after: string): string | undefined {
  const head = before.slice(before.lastIndexOf("<"));
  const close = after.indexOf(">");
  const end = after.indexOf("</script>", close);
  if (!head.startsWith("<script") || close < 0 || end < 0) return;
  return / src=/.test(head + after.slice(0, close)) ? undefined : after.slice(close + 1, end);
}

async function hashOf(script: string): Promise<string> {
  return `'sha256-${toBase64(await sha256(script))}'`;
}

/**
 * The origin of Turnstile's script and frame, if it is configured. Cloudflare does not promise that its script works
 * with Trusted Types, so pages then do without them: nobody could send a form if the challenge failed.
 */
function turnstileOrigin(configuration: Configuration): string[] {
  if (!configuration.TURNSTILE_SITE_KEY) return [];
  return [new URL(configuration.TURNSTILE_API_URL).origin];
}

/**
 * What Google One Tap loads, on the one page that offers it and only where it is configured, as Google names it. Google
 * does not promise that its script works with Trusted Types.
 */
function oneTapSources({ configuration, path }: Rendered) {
  if (path !== "/signup" || !configuration.GOOGLE_ONE_TAP_CLIENT_ID) return;
  const gsi = `${configuration.GOOGLE_IDENTITY_URL}/gsi/`;
  return { script: `${gsi}client`, style: `${gsi}style`, frame: gsi, connection: gsi };
}

/** Text becomes HTML or a script only through the policies of `app/ui/reading/trusted-types.ts`. */
const trustedTypes = ["require-trusted-types-for 'script'", "trusted-types default page-text"];

/** A host name as the address bar writes it: nothing in it ends a directive, and no part is a wildcard. */
const hostName = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/**
 * Where forms may lead beside this site: to Stripe's pages and to those that people sign in at. A page that only reads has
 * no such form, and leads by whole documents to those that have, each with a policy of its own. Every page with React may
 * become any other one without a new document, and is told by the scripts that it preloads.
 */
function formTargets(page: string, { configuration, permissions }: Rendered): readonly string[] {
  if (permissions?.isAlone) return [];
  if (!import.meta.env.DEV && !page.includes('rel="modulepreload"')) return [];
  return [...hostedPages(configuration), ...signInPages(configuration)];
}

function documentPolicy(
  rendered: Rendered,
  hashes: readonly string[],
  forms: readonly string[],
): string {
  const { configuration, path, permissions } = rendered;
  const oneTap = oneTapSources(rendered);
  const host = hostName.test(permissions?.host ?? "") ? permissions?.host : undefined;
  const ancestors = (permissions?.framedBy ?? []).filter(isFrameOrigin);
  const hasStripe = configuration.STRIPE_PUBLISHABLE_KEY && !permissions?.isAlone;
  const connections = [
    "'self'",
    ...(import.meta.env.DEV ? ["ws:"] : []),
    ...(hasStripe ? ["https://api.stripe.com"] : []),
    ...(host ? [`https://${host}`, `wss://${host}`] : []),
    ...(mayConnect(path) ? fleetSocket(configuration) : []),
    ...(oneTap ? [oneTap.connection] : []),
  ];
  const scripts = import.meta.env.DEV ? ["'unsafe-inline'"] : hashes;
  const turnstile = permissions?.isAlone ? [] : turnstileOrigin(configuration);
  const stripeJs = hasStripe ? ["https://js.stripe.com"] : [];
  const frames = [
    ...(stripeJs.length ? ["https://js.stripe.com", "https://hooks.stripe.com"] : []),
    ...turnstile,
    ...(oneTap ? [oneTap.frame] : []),
  ];
  return [
    "default-src 'none'",
    `script-src 'self' ${[...scripts, ...stripeJs, ...turnstile, ...(oneTap ? [oneTap.script] : [])].join(" ")}`,
    `style-src 'self'${oneTap ? ` ${oneTap.style}` : ""}${import.meta.env.DEV ? " 'unsafe-inline'" : ""}`,
    "img-src 'self' data:",
    "font-src 'self'",
    ...(permissions?.hasSound ? ["media-src blob:"] : []),
    `connect-src ${connections.join(" ")}`,
    `frame-src ${frames.join(" ") || "'none'"}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    ...(import.meta.env.DEV || turnstile.length || oneTap ? [] : trustedTypes),
    `frame-ancestors ${ancestors.join(" ") || "'none'"}`,
    // Chromium applies form-action to redirects too: a form post here may end at these pages.
    ["form-action 'self'", ...forms].join(" "),
    // For browsers that do not know `report-to`.
    `report-uri ${reportsPath}`,
    "report-to csp",
  ].join("; ");
}

/** Where the pages of servers open their socket. */
function fleetSocket({ SERVERS_URL }: Configuration): string[] {
  return SERVERS_URL ? [new URL(SERVERS_URL).origin.replace(/^http/, "ws")] : [];
}

/** Origins that a sign-in form may lead to: the auth server, then the providers that are offered. */
function signInPages(configuration: Configuration): readonly string[] {
  // /signup offers Google whatever /signin offers.
  const offered = new Set<Provider>([...configuration.SIGN_IN_PROVIDERS, "google"]);
  return [
    new URL(configuration.SUPABASE_URL).origin,
    ...[...offered].flatMap((provider) => providerFacts[provider].signInOrigins),
    ...(offered.has("keycloak") && configuration.KEYCLOAK_URL
      ? [new URL(configuration.KEYCLOAK_URL).origin]
      : []),
    ...(configuration.GOOGLE_API_URL.startsWith("http://")
      ? [new URL(configuration.GOOGLE_API_URL).origin]
      : []),
  ];
}

const stripeApi = "https://api.stripe.com";

/** The origins of the pages that Stripe hosts: checkout, customer portal and invoices. */
function hostedPages({ STRIPE_API_URL }: Configuration): readonly string[] {
  return STRIPE_API_URL === stripeApi
    ? ["https://checkout.stripe.com", "https://billing.stripe.com", "https://invoice.stripe.com"]
    : [new URL(STRIPE_API_URL).origin];
}

/**
 * Moves the preloads of a page's scripts to the end of the head, with a low priority. React writes them first, and
 * browsers would then load the scripts before the style sheets, although a page is drawn without scripts.
 */
function preloadScriptsLast(page: string): string {
  const scripts: string[] = [];
  const rest = page.replace(/<link rel="modulepreload" href="([^"]+)"[^>]*\/>/g, (_, href) => {
    scripts.push(`<link rel="modulepreload" href="${href}" fetchpriority="low"/>`);
    return "";
  });
  return rest.replace("</head>", () => `${scripts.join("")}</head>`);
}
