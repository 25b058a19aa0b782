import { expect, test } from "vitest";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { at, read, textOf } from "../../../support/deployments/bundle-checks.ts";

const connection = { url: "https://servers.example.com" };
const turnOff = { turn: { mode: "manual", domain: "turn.example.com", udp: true, tls: false } };

function caddyOf(typed: Record<string, unknown>, isConnected = true) {
  const options = optionsFrom({ domain: "livekit.example.com", ...typed });
  return read(
    textOf(bundle(options, undefined, isConnected ? connection : undefined), "caddy.yaml"),
  );
}

/** The handlers of the route to this name: TLS, and what is behind it. */
function handlerOf(caddy: unknown, name: string, index = 1): unknown {
  for (const route of [0, 1]) {
    const place = `apps.layer4.servers.main.routes.${route}`;
    if (at(caddy, `${place}.match.0.tls.sni.0`) === name)
      return at(caddy, `${place}.handle.${index}`);
  }
}

test("what an app says of a call comes to the name of TURN, with the address that it came from, and TURN waits for nothing", () => {
  const caddy = caddyOf({});
  expect(handlerOf(caddy, "turn.livekit.example.com")).toEqual({
    handler: "subroute",
    routes: [
      {
        match: [{ regexp: { pattern: "^POST /call-evidence ", count: 20 } }],
        handle: [
          {
            ...{ handler: "proxy", proxy_protocol: "v2" },
            upstreams: [{ dial: ["127.0.0.1:7993"] }],
          },
        ],
      },
      { handle: [{ handler: "proxy", upstreams: [{ dial: ["127.0.0.1:5349"] }] }] },
    ],
  });
  // A browser would speak HTTP/2, which no route knows.
  expect(handlerOf(caddy, "turn.livekit.example.com", 0)).toEqual({
    ...{ handler: "tls", connection_policies: [{ alpn: ["http/1.1"] }] },
  });
  // The way of calls is as it was.
  expect(handlerOf(caddy, "livekit.example.com")).toEqual({
    ...{ handler: "proxy", upstreams: [{ dial: ["127.0.0.1:7880"] }] },
  });
});

test("it is taken on loopback, four kilobytes of it that look like JSON, three hundred a minute, into files of its own", () => {
  const caddy = caddyOf({});
  expect(at(caddy, "apps.http.servers.evidence.listen")).toEqual(["127.0.0.1:7993"]);
  expect(at(caddy, "apps.http.servers.evidence.listener_wrappers")).toEqual([
    { wrapper: "proxy_protocol", allow: ["127.0.0.1/32"] },
  ]);
  expect(at(caddy, "apps.http.servers.evidence.routes.0.handle.0.max_size")).toBe(4_096);
  expect(at(caddy, "logging.logs.evidence.sampling")).toEqual({
    ...{ interval: 60_000_000_000, first: 300, thereafter: 1_000_000_000 },
  });
  const events = at(caddy, "logging.logs.events.writer");
  for (const log of ["evidence", "evidence_count"]) {
    const writer = at(caddy, `logging.logs.${log}.writer`);
    expect(writer).toMatchObject({ filename: "/sessions/evidence.log", roll_size_mb: 5 });
    expect(writer).toMatchObject({ roll_keep: 2, roll_gzip: false, mode: "0600" });
    expect(at(events, "filename")).toBe("/sessions/events.log");
  }
  expect(at(caddy, "logging.logs.default.exclude")).toEqual([
    ...["http.log.access.events", "http.log.access.evidence"],
  ]);
});

test.for([
  ['{"state":"ended","token":"a.b.c"}', true],
  [' {\n\t"state": "ended"\r\n}\n', true],
  ['{"browser":"Ü 漢 🦊"}', true],
  ["state=ended", false],
  ['{"state":"ended"', false],
  ['{"state":"\u0001"}', false],
  ['{"state":"\ufffd"}', false],
  ["", false],
] as const)("of %j it is %s that a line is written", ([body, isWritten]) => {
  const route = "apps.http.servers.evidence.routes.0.handle.2.routes.0";
  const shape = at(caddyOf({}), `${route}.match.0.vars_regexp.evidence.pattern`);
  // The same form in JavaScript's notation. real: full-spool has Caddy read it.
  expect(new RegExp(String(shape).replaceAll("\\x{", "\\u{"), "u").test(body)).toBe(isWritten);
});

test.for([
  ["without the console", {}, false],
  ["with sessions switched off", { sessions: "off" }, true],
  ["without TURN by TLS", turnOff, true],
] as const)("%s nothing of it is there", ([, typed, isConnected]) => {
  expect(JSON.stringify(caddyOf(typed, isConnected))).not.toContain("evidence");
});
