import { globSync } from "node:fs";
import { basename } from "node:path";
import fc from "fast-check";
import { googleTools } from "../../../app/content/google-tools.ts";
import { siteCookies } from "../../../app/http/cookies.ts";
import { agentJob, sessions } from "../servers/session-lines.ts";
import type { SiteRoute } from "../site/site-routes.ts";
import { goodId, routeInputs, siteHeaders } from "./route-inputs.ts";

/** How the session's cookie is sent: not at all, as it is, or with something changed in it. */
export type Session = "none" | "good" | "bent";

/** One request as somebody may write it who is no browser. */
export type HostileRequest = {
  method: string;
  /** Path and query, encoded as it goes over the wire. */
  target: string;
  headers: Record<string, string>;
  cookies: [name: string, value: string][];
  session: Session;
  /** Where a bent session is bent. */
  bend: number;
  /** Whether it is sent with a valid token of an agent. */
  token: boolean;
  body: string | undefined;
};

/** What would run, or leave its place, if it came back as it was sent. `rf7` is nowhere else. */
const markups = [
  "<rf7 onload=rf7()>",
  '"rf7q autofocus onfocus="rf7()',
  "'rf7q onfocus='rf7()",
  "</script><rf7>",
  "</textarea><rf7>",
  "--><rf7>",
  "]]><rf7>",
  "javascript:rf7()",
  "\r\nx-rf7: 1\r\n\r\n<rf7>",
  "{{rf7}}<%= rf7 %>",
] as const;

const oddities = [
  "",
  " ",
  "0",
  "-1",
  "1e309",
  "NaN",
  "2147483648",
  "9999999999999999",
  "99999999999999999999",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "null",
  "undefined",
  "true",
  "[]",
  "{}",
  "..",
  "../../etc/passwd",
  "..%2f..%2f",
  "' or 1=1--",
  "$(id)",
  "a\u0000b",
  "a\u202eb",
  "%",
  "%zz",
  "%00",
  "//evil.example",
  "/\\evil.example",
  "https://evil.example/",
  "00000000-0000-4000-8000-000000000000",
  "x".repeat(5_000),
  "🎧".repeat(300),
];

/** What anybody may put into one place. */
const anything = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...markups) },
  { weight: 4, arbitrary: fc.constantFrom(...oddities) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.double()).map(String) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.oneof(fc.emailAddress(), fc.webUrl(), fc.uuid()) },
);

const encode = (text: string) => encodeURIComponent(text.toWellFormed());
/** What a header may carry over the wire; anything else is refused before it reaches a site. */
const inHeader = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "").trim();
const inCookie = (text: string) => inHeader(text).replaceAll(";", "%3B");

/** A broken escape goes out as it is. */
const inPath = (text: string) => (/^%[z0]/.test(text) ? text : encode(text).slice(0, 1_500) || "-");

const unread = [
  "_routes",
  "index",
  "next",
  "redirect",
  "callback",
  "debug",
  "__proto__",
  "user_id",
];
const unreadHeaders = [
  "accept",
  "accept-language",
  "content-encoding",
  "expect-ct",
  "forwarded",
  "if-modified-since",
  "range",
  "referer",
  "user-agent",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-http-method-override",
  "x-original-url",
  "x-rewrite-url",
];

const contentTypes = [
  "application/json",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded; charset=utf-16",
  "",
];

/** Leaves of a body that is taken, each now and then replaced by something else. */
function bentJson(good: unknown): fc.Arbitrary<unknown> {
  const other = fc.oneof(anything, fc.integer(), fc.double(), fc.constant(null), fc.jsonValue());
  const bent = (value: unknown): fc.Arbitrary<unknown> =>
    value !== null && typeof value === "object"
      ? fc.record(
          Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, bent(inner)])),
          { requiredKeys: [] },
        )
      : fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other });
  return fc.oneof(
    { weight: 6, arbitrary: bent(good) },
    { weight: 1, arbitrary: fc.array(bent(good), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

/** Good values for the parts of a path that are no words. */
const goodParts: Readonly<Record<string, readonly string[]>> = {
  ":id": [goodId],
  ":session": [sessions.room, "RM_nobody"],
  ":participant": [sessions.participant, "PA_nobody"],
  ":job": [agentJob, "AJ_nobody"],
  ":link": ["x".repeat(22)],
  ":name": ["livekit.yaml", "docker-compose.yml"],
  ":slug": globSync("app/content/blog/*.md").map((file) => basename(file, ".md")),
  // Together: chance alone seldom finds a tab of the tool.
  ":tool/:tab": googleTools.flatMap(({ id, tabs }) => tabs.map((tab) => `${id}/${tab}`)),
};

/** Requests to one route. */
export function hostileRequests({ path, file }: SiteRoute): fc.Arbitrary<HostileRequest> {
  const { query = [], fields, words = [], json, formQuery, leading } = routeInputs[file] ?? {};
  const value = words.length
    ? fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...words) },
        { weight: 2, arbitrary: anything },
      )
    : anything;
  const pairs = (names: readonly string[], maxPairs: number, size?: "max") =>
    fc.array(fc.tuple(fc.constantFrom(...names), value), {
      maxLength: maxPairs,
      size: size ?? "small",
    });
  const address = fc
    .tuple(
      ...path
        .split(/\/(?!:tab)/)
        .map((part) =>
          part.startsWith(":")
            ? fc.oneof(
                { weight: 3, arbitrary: fc.constantFrom(...(goodParts[part] ?? ["-"])) },
                { weight: 1, arbitrary: anything.map(inPath) },
              )
            : fc.constant(part),
        ),
    )
    .map((parts) => parts.join("/") || "/");
  const suffix = fc.oneof(
    { weight: 5, arbitrary: fc.constant("") },
    { weight: 5, arbitrary: fc.constant(path === "/" ? "_.data" : ".data") },
    { weight: 1, arbitrary: fc.constantFrom("/", "//", "/..", ";x", "%2f", "%00", "/x") },
  );
  const search = fc.oneof(
    { weight: 6, arbitrary: pairs([...query, ...unread], 4).map(asForm) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("%", "%zz=%zz", "=&&=", "next=%ED%A0%80", "a".repeat(4_000)),
    },
  );
  const sent = pairs([...(fields ?? []), ...unread], 10, "max");
  const begun = leading ? fc.constantFrom([leading], []) : fc.constant([]);
  const form = fc.tuple(begun, sent).map(([first, rest]) => asForm([...first, ...rest]));
  const body = fc.oneof(
    {
      weight: 8,
      arbitrary: form.map((text) => ({ type: "application/x-www-form-urlencoded", text })),
    },
    ...(json
      ? [
          {
            weight: 16,
            arbitrary: bentJson(json).map((sent) => ({
              type: "application/json",
              text: JSON.stringify(sent) ?? "",
            })),
          },
        ]
      : []),
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constantFrom(...contentTypes),
        text: anything.map((text) => text.toWellFormed()),
      }),
    },
  );
  const posting = fields ? 7 : 1;
  return fc
    .record({
      method: fc.oneof(
        { weight: posting, arbitrary: fc.constant("POST") },
        { weight: 8 - posting, arbitrary: fc.constant("GET") },
        {
          weight: 1,
          arbitrary: fc.constantFrom("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"),
        },
      ),
      address,
      suffix,
      search,
      body,
      headers: fc.array(
        fc.tuple(
          fc.constantFrom(
            ...siteHeaders.filter((name) => name !== "content-length"),
            ...unreadHeaders,
          ),
          anything.map(inHeader),
        ),
        { maxLength: 3 },
      ),
      cookies: fc.array(
        fc.tuple(fc.constantFrom(...Object.keys(siteCookies)), anything.map(inCookie)),
        {
          maxLength: 2,
        },
      ),
      session: fc.oneof(
        { weight: 6, arbitrary: fc.constant<Session>("none") },
        { weight: 2, arbitrary: fc.constant<Session>("bent") },
        // What a person may do behind the door costs ten times what is refused at it.
        { weight: 2, arbitrary: fc.constant<Session>("good") },
      ),
      bend: fc.nat(),
      token: fc.boolean(),
    })
    .map(({ method, address, suffix, search, body, headers, ...rest }) => {
      const reads = method === "GET" || method === "HEAD";
      const queryText = [method === "POST" ? formQuery : "", search].filter(Boolean).join("&");
      return {
        method,
        target: `${address}${suffix}${queryText ? `?${queryText}` : ""}`,
        headers: {
          ...Object.fromEntries(headers.map(([name, sent]) => [name, sent.slice(0, 4_000)])),
          ...(reads ? {} : { "content-type": body.type }),
        },
        ...rest,
        body: reads ? undefined : body.text,
      };
    });
}

function asForm(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
}
