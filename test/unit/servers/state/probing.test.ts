import { afterEach, expect, test, vi } from "vitest";
import { parseReport } from "~/features/servers/ingest/report.ts";
import type { ServerRecord } from "~/features/servers/state/server-record.ts";
import {
  mayBeAnotherNode,
  probeDomains,
} from "../../../../app/features/servers/state/probe.server.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";
import { reportText } from "../../../support/servers/report-lines.ts";

const hour = 60 * minute;
const node: ServerRecord = {
  ...{ id: "node", deployment: "deployment", name: "sfu-1", enrolledAt: begin, keyHash: "" },
  ...{ machine: "one", instance: "i-1", refused: [], boots: [], changes: [] },
  ...{ domain: "rtc.example.com", bucket: { left: 10, at: begin }, reportAt: begin + 2 * hour },
};
/** Reported for an hour, and is silent since. */
const silent: ServerRecord = {
  ...{ ...node, id: "silent", reportAt: begin + hour },
  silence: { foundAt: begin + hour + 3 * minute },
};
const beside = { ...node, id: "beside", instance: "i-2", domain: "RTC.example.com" };
const again = { ...node, id: "again", enrolledAt: begin + hour };
const replacement = {
  ...beside,
  id: "replacement",
  machine: "two",
  enrolledAt: begin + 61 * minute,
};
const why = { why: "plan-limit", allowed: 1, since: begin } as const;

test.for([
  ["another node that reports beside it", [beside], true],
  ["nobody else", [], false],
  ["a node of another domain", [{ ...beside, domain: "other.example.com" }], false],
  ["a node that is silent too", [{ ...beside, silence: { foundAt: begin } }], false],
  ["a node that is paused", [{ ...beside, suspension: why }], false],
  ["the machine itself, connected again", [again], false],
  ["the machine itself, connected again beside another node", [beside, again], false],
  ["a VM that was connected after its last report", [replacement], false],
  ["such a VM beside another node", [beside, replacement], false],
] as const)("an answer at a silent server's domain may be of %s: %#", ([, others, isOfAnother]) => {
  expect(mayBeAnotherNode(silent, [silent, ...others])).toBe(isOfAnother);
});

test("an answer at a cluster's domain is its edge's, and never that of a media machine", () => {
  const [report] = [parseReport(reportText({ role: "edge" }))];
  const edge = report.ok ? { ...silent, report: report.report } : silent;
  expect(edge.report?.role).toBe("edge");
  expect(mayBeAnotherNode(edge, [edge, beside])).toBe(false);
});

const env = {
  SITE_URL: "https://www.deploy.example.com",
  SUPPORT_EMAIL: "support@example.com",
  DNS_API_URL: "https://resolver.example/dns-query",
  PAGERDUTY_API_URL: "https://pager.example",
};
const addresses: Record<string, string[] | undefined> = {
  "well.example.org": ["198.41.0.4"],
  "dead.example.org": ["198.41.0.5"],
  "private.example.org": ["198.41.0.4", "10.0.0.5"],
  "nowhere.example.org": [],
};

/** The internet of these tests: a resolver, one server that answers, and another provider who does or does not. */
function internet({ isOthersReached = true } = {}): string[] {
  const requests: string[] = [];
  vi.stubGlobal("fetch", async (input: string) => {
    const { hostname, searchParams } = new URL(input);
    if (hostname === "resolver.example") {
      const found = addresses[searchParams.get("name") ?? ""];
      if (!found) return new Response("", { status: 503 });
      const answer = searchParams.get("type") === "A" ? found : [];
      return Response.json({ Status: 0, Answer: answer.map((data) => ({ type: 1, data })) });
    }
    requests.push(hostname);
    if (hostname === "well.example.org") return new Response("OK");
    if (hostname === "pager.example" && isOthersReached) return new Response("", { status: 404 });
    throw new TypeError("Nobody answers");
  });
  return requests;
}
afterEach(() => vi.unstubAllGlobals());

test.for([
  [
    "one that answers",
    "well.example.org",
    { answers: true, isCertain: true },
    ["well.example.org"],
  ],
  [
    "one that does not",
    "dead.example.org",
    { answers: false, isCertain: true },
    ["dead.example.org", "pager.example"],
  ],
  [
    "one without an address",
    "nowhere.example.org",
    { answers: false, isCertain: true },
    ["pager.example"],
  ],
  [
    "one that leads into a private network (N5)",
    "private.example.org",
    { answers: false, isCertain: false },
    [],
  ],
  ["one of ours (N5)", "api.deploy.example.com", { answers: false, isCertain: false }, []],
  [
    "one of which the resolver says nothing",
    "unknown.example.org",
    { answers: false, isCertain: false },
    [],
  ],
] as const)("a silent server's domain is probed: %s", async ([, domain, probe, hosts]) => {
  const requests = internet();
  expect(await probeDomains(env, new Set([domain]))).toEqual(new Map([[domain, probe]]));
  expect(requests).toEqual(hosts);
});

test("where nobody else answers us either, that a domain does not is not certain (N1)", async () => {
  internet({ isOthersReached: false });
  const domain = "dead.example.org";
  expect(await probeDomains(env, new Set([domain]))).toEqual(
    new Map([[domain, { answers: false, isCertain: false }]]),
  );
});
