import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import {
  checkFindings,
  type RungResult,
  rungs,
  withCheck,
} from "~/features/deployments/checks/check.ts";
import { climb, type Probes } from "~/features/deployments/checks/ladder.ts";
import { resolveName } from "~/features/deployments/public-name.server.ts";

const domain = "rtc.example.org";
const turn = "turn.rtc.example.org";
const address = "198.41.0.4";
const target = { domain, turn, addresses: [address], readsCertificate: false };
const now = Date.UTC(2026, 10, 28);
const day = 86_400_000;

/** A server with which all is well, but for what a test changes; and what was asked of it. */
function internet(
  changed: Partial<Record<keyof Probes, unknown>> & { names?: Record<string, string[]> } = {},
) {
  const { names = {}, ...answers } = changed;
  const requests: string[] = [];
  const probe =
    (kind: keyof Probes, usual: unknown) =>
    async (...of: unknown[]) => {
      requests.push([kind, ...of].join(" "));
      const answer = kind in answers ? answers[kind] : usual;
      return answer instanceof Function ? answer(...of) : answer;
    };
  const probes = {
    resolve: async (name: string) => {
      const addresses = names[name] ?? [address];
      return { target: addresses.length === 0 ? "none" : "public", addresses };
    },
    port: probe("port", "open"),
    tls: probe("tls", "open"),
    certificateEnd: probe("certificateEnd", now + 60 * day),
    https: probe("https", "livekit"),
    turn: probe("turn", "turn"),
    othersAnswer: probe("othersAnswer", true),
    now: () => now,
  } as Probes;
  return { probes, requests };
}

const outcomes = (results: readonly RungResult[]) =>
  Object.fromEntries(results.map(({ rung, outcome, code }) => [rung, code ?? outcome]));
const well = { dns: "ok", tcp: "ok", tls: "ok", https: "ok", turn: "ok", ice: "ok" };

test("a server with which all is well has six rungs, each with a sentence of its own", async () => {
  const results = await climb(target, internet().probes);
  expect(outcomes(results)).toEqual(well);
  expect(results.map(({ rung }) => rung)).toEqual([...rungs]);
  expect(new Set(results.map(({ sentence }) => sentence)).size).toBe(6);
});

const onlyPort = (closed: number) => (_: string, port: number) =>
  port === closed ? "refused" : "open";

test.for([
  ["no address", { names: { [domain]: [] } }, { dns: "dns.missing", rest: "skipped" }],
  [
    "another address",
    { names: { [domain]: ["198.41.0.9"] } },
    { dns: "dns.wrong", rest: "skipped" },
  ],
  [
    "Cloudflare's proxy before it",
    { names: { [domain]: ["104.16.3.4"] } },
    { dns: "dns.proxied", https: "ok", rest: "skipped" },
  ],
  [
    "443 closed",
    { port: onlyPort(443), https: "nothing" },
    { ...well, tcp: "port.closed", tls: "skipped", https: "skipped", turn: "skipped" },
  ],
  [
    "443 dropped, and 7881 too",
    { port: "silent", https: "nothing" },
    { dns: "ok", tcp: "port.closed", ice: "ice.closed", rest: "skipped" },
  ],
  ["7881 closed", { port: onlyPort(7881) }, { ...well, ice: "ice.closed" }],
  [
    "a certificate that ended",
    { tls: "refused", certificateEnd: now - day, https: "certificate" },
    { ...well, tls: "cert.invalid", https: "skipped" },
  ],
  [
    "a certificate of nobody's",
    { tls: "refused", https: "certificate" },
    { ...well, tls: "cert.invalid", https: "skipped" },
  ],
  [
    "no certificate",
    { tls: "refused", certificateEnd: undefined, https: "nothing" },
    { ...well, tls: "cert.missing", https: "skipped" },
  ],
  ["another site", { https: "other" }, { ...well, https: "livekit.silent" }],
  ["LiveKit that starts", { https: "starting" }, well],
  ["a TURN that says nothing", { turn: "silent" }, { ...well, turn: "turn.tls.silent" }],
  ["a TURN without a certificate", { turn: "refused" }, { ...well, turn: "turn.tls.silent" }],
  ["a web server for TURN", { turn: "other" }, { ...well, turn: "turn.tls.silent" }],
  ["TURN's name elsewhere", { names: { [turn]: ["198.41.0.9"] } }, { ...well, turn: "dns.wrong" }],
  // Where HTTPS answers, a socket that does not open is no fault of the server's, and wakes nobody.
  [
    "a fault of our sockets",
    { port: "silent", tls: "silent", turn: "silent" },
    { dns: "ok", https: "ok", rest: "unknown" },
  ],
  ["a fault of our TLS alone", { tls: "silent" }, { ...well, tls: "unknown" }],
] as [string, Parameters<typeof internet>[0], Record<string, string>][])(
  "each fault has its code, and what stands on it is not tried: %s",
  async ([, faults, { rest, ...expected }]) => {
    const results = await climb(target, internet(faults).probes);
    const others = rest ? Object.fromEntries(rungs.map((rung) => [rung, rest])) : {};
    expect(outcomes(results)).toEqual({ ...others, ...expected });
    for (const { outcome, code, subject } of results)
      expect([code !== undefined, subject !== undefined]).toEqual(
        outcome === "failed" ? [true, true] : [false, false],
      );
  },
);

test("while nobody else answers us either, what fails is no fault of the server's; a name that leads elsewhere is", async () => {
  const dead = { port: "silent", https: "nothing", othersAnswer: false };
  expect(outcomes(await climb(target, internet(dead).probes))).toMatchObject({
    ...{ dns: "ok", tcp: "unknown", ice: "unknown" },
  });
  const moved = { ...dead, names: { [domain]: ["198.41.0.9"] } };
  expect(outcomes(await climb(target, internet(moved).probes))).toMatchObject({ dns: "dns.wrong" });
  // Who answers is asked nobody else about.
  const { probes, requests } = internet();
  await climb(target, probes);
  expect(requests).not.toContain("othersAnswer");
});

test("TURN that is off, or whose name nobody said, is not asked", async () => {
  for (const name of [null, undefined]) {
    const { probes, requests } = internet();
    expect(outcomes(await climb({ ...target, turn: name }, probes))).toEqual({
      ...well,
      turn: "skipped",
    });
    expect(requests.filter((each) => each.startsWith("turn"))).toEqual([]);
  }
});

test("the certificate is read where nobody else says its end, and one that ends within three days fails", async () => {
  const of = (ends: number) => internet({ certificateEnd: ends });
  const usual = of(now + 2 * day);
  expect(outcomes(await climb(target, usual.probes))).toEqual(well);
  expect(usual.requests.filter((each) => each.startsWith("certificateEnd"))).toEqual([]);
  const silent = { ...target, readsCertificate: true };
  const results = await climb(silent, of(now + 2 * day).probes);
  expect(outcomes(results)).toEqual({ ...well, tls: "cert.ending" });
  expect(results[2]?.sentence).toBe(
    `The certificate of ${domain} is trusted, and ends on 2026-11-30.`,
  );
  expect(outcomes(await climb(silent, of(now + 4 * day).probes))).toEqual(well);
});

test("a node of a cluster is one of the addresses of its name, and is asked at its own", async () => {
  const { probes, requests } = internet({
    names: { [domain]: ["198.41.0.9", address], [turn]: [address] },
  });
  expect(outcomes(await climb(target, probes))).toEqual(well);
  expect(requests.filter((each) => each.startsWith("port"))).toEqual([
    `port ${address} 443`,
    `port ${address} 7881`,
  ]);
});

/** First address, bits of the range, bits of the family. */
const reserved = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;
const reservedIPv4 = fc
  .tuple(fc.constantFrom(...reserved), fc.nat(2 ** 32 - 1))
  .map(([[first, bits], random]) => {
    const begin = first.split(".").reduce((value, part) => value * 256 + Number(part), 0);
    const value = begin + (random % 2 ** (32 - bits));
    return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
  });
const groups = fc.array(fc.nat(0xffff), { minLength: 7, maxLength: 7 });
const hex = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(":");
const reservedIPv6 = fc.oneof(
  fc.constantFrom("::", "::1"),
  // Any IPv4 address in IPv6: mapped, compatible, behind NAT64, by 6to4 and Teredo.
  reservedIPv4.map((each) => `::ffff:${each}`),
  fc.tuple(fc.nat(0xffff), fc.nat(0xffff)).map((each) => `::ffff:${hex(each)}`),
  reservedIPv4.map((each) => `64:ff9b::${each}`),
  groups.map((rest) => `2002:${hex(rest)}`),
  groups.map((rest) => `2001:0:${hex(rest.slice(1))}`),
  groups.map((rest) => `2001:db8:${hex(rest.slice(1))}`),
  fc
    .tuple(
      fc.oneof(
        fc.integer({ min: 0xfc00, max: 0xfdff }),
        fc.integer({ min: 0xfe80, max: 0xfebf }),
        fc.integer({ min: 0xff00, max: 0xffff }),
        fc.integer({ min: 0x4000, max: 0xfbff }),
      ),
      groups,
    )
    .map(([first, rest]) => hex([first, ...rest])),
);

afterEach(() => vi.unstubAllGlobals());

function answerNames(names: Record<string, string[]>): void {
  vi.stubGlobal("fetch", async (input: string) => {
    const { searchParams } = new URL(input);
    const type = searchParams.get("type") === "A" ? 1 : 28;
    const found = (names[searchParams.get("name") ?? ""] ?? []).filter(
      (each) => each.includes(":") === (type === 28),
    );
    return Response.json({ Status: 0, Answer: found.map((data) => ({ type, data })) });
  });
}
const settings = {
  SITE_URL: "https://www.deploy.example.com",
  DNS_API_URL: "https://resolver.example",
};

test("no name, of LiveKit or of TURN, that leads to an address which is not of the internet is ever asked", async () => {
  const addresses = fc.oneof(reservedIPv4, reservedIPv6);
  await fc.assert(
    fc.asyncProperty(addresses, fc.boolean(), fc.boolean(), async (bad, isTurns, isBeside) => {
      const name = isTurns ? turn : domain;
      // A public address beside it changes nothing.
      answerNames({
        [domain]: [address],
        [turn]: [address],
        [name]: isBeside ? [address, bad] : [bad],
      });
      const { probes, requests } = internet();
      const resolve = (each: string) => resolveName(settings, each);
      // Also where the machine says that this is its own address.
      const results = await climb({ ...target, addresses: [address, bad] }, { ...probes, resolve });
      expect(outcomes(results)[isTurns ? "turn" : "dns"]).toBe("dns.wrong");
      expect(requests.filter((each) => each.includes(bad))).toEqual([]);
      expect(requests.filter((each) => each.split(" ")[1] === name)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test.each(["deploy.example.com", "www.deploy.example.com", "servers.Deploy.example.com"])(
  "a name of ours is never looked up or asked: %s",
  async (name) => {
    const fetched = vi.fn();
    vi.stubGlobal("fetch", fetched);
    const { probes, requests } = internet();
    const resolve = (each: string) => resolveName(settings, each);
    const results = await climb({ ...target, domain: name }, { ...probes, resolve });
    expect(outcomes(results)).toMatchObject({ dns: "skipped", https: "skipped", turn: "skipped" });
    expect(requests).toEqual([]);
    expect(fetched).not.toHaveBeenCalled();
  },
);

async function checked(faults: Parameters<typeof internet>[0]) {
  return climb(target, internet(faults).probes);
}

test("a rung is a finding once it fails in two scheduled checks in a row, and not sooner", async () => {
  const closed = await checked({ port: onlyPort(7881) });
  const once = withCheck(undefined, closed, now, true);
  expect(checkFindings(once)).toEqual([]);
  const again = withCheck(once, closed, now + 300_000, true);
  expect(checkFindings(again)).toMatchObject([
    { code: "ice.closed", severity: "warning", subject: "7881/tcp" },
  ]);
  expect([again.changedAt, again.at]).toEqual([now, now + 300_000]);
  // One good check ends it, and the count begins anew.
  const good = withCheck(again, await checked({}), now + 600_000, true);
  expect([checkFindings(good), good.changedAt]).toEqual([[], now + 600_000]);
  expect(checkFindings(withCheck(good, closed, now, true))).toEqual([]);
});

test("neither a check that somebody asks for nor one of another fault makes two in a row", async () => {
  const closed = await checked({ port: onlyPort(7881) });
  const once = withCheck(undefined, closed, now, true);
  const requested = withCheck(withCheck(once, closed, now, false), closed, now, false);
  expect(checkFindings(requested)).toEqual([]);
  const turnFirst = withCheck(undefined, await checked({ turn: "silent" }), now, true);
  const elsewhere = await checked({ names: { [turn]: ["198.41.0.9"] } });
  expect(checkFindings(withCheck(turnFirst, elsewhere, now, true))).toEqual([]);
});

test("a check that says nothing of the server neither ends a finding nor counts as one", async () => {
  const closed = await checked({ port: onlyPort(7881) });
  const found = withCheck(withCheck(undefined, closed, now, true), closed, now, true);
  const unknown = await checked({ port: "silent" });
  expect(checkFindings(withCheck(found, unknown, now, true))).toMatchObject([
    { code: "ice.closed" },
  ]);
  const twice = withCheck(withCheck(undefined, unknown, now, true), unknown, now, true);
  expect(checkFindings(twice)).toEqual([]);
});

test("before its name has led to the server once, nothing that fails is a finding", async () => {
  const elsewhere = await checked({ names: { [domain]: ["198.41.0.9"] } });
  const never = withCheck(withCheck(undefined, elsewhere, now, true), elsewhere, now, true);
  expect([never.isScheduled, checkFindings(never)]).toEqual([false, []]);
  const begun = withCheck(never, await checked({}), now, true);
  const moved = withCheck(withCheck(begun, elsewhere, now, true), elsewhere, now, true);
  expect(checkFindings(moved)).toMatchObject([
    { code: "dns.wrong", severity: "critical", subject: domain, wanted: `A ${address}` },
  ]);
});
