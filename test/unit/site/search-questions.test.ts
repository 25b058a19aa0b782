import { beforeAll, expect, test } from "vitest";
import { docsPages } from "~/content/reading.ts";
import { searchOver } from "~/ui/reading/search/search-sections.ts";
import { stemsOf } from "~/ui/reading/search/search-words.ts";
import { searchSections } from "../../../scripts/vite/markdown/published.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

/** What operators type, in few words, and the section that answers it. */
const operatorQuestions: [question: string, section: string][] = [
  ["open ports on Hetzner", "/docs/firewalls#hetzner"],
  ["certificate failed", "/docs/troubleshooting#no-certificate-or-an-invalid-one"],
  ["change domain", "/docs/change-domain"],
  ["restore backup", "/docs/guide#backups"],
  ["upgrade LiveKit version", "/docs/guide#updating-versions"],
  ["rotate keys", "/docs/tokens#new-api-keys"],
  ["connect existing server", "/docs/servers#connect-an-existing-server"],
  ["TURN on 443", "/docs/guide#turn"],
  ["RTMP from OBS", "/docs/ingest"],
  ["record to S3", "/docs/recording#where-the-files-go"],
  ["use with Agents", "/docs/agents"],
  ["SIP trunk", "/docs/sip#trunks-and-rules"],
  ["multiple servers", "/docs/several-servers"],
  ["move to bigger VM", "/docs/larger-machine"],
  ["IPv6", "/docs/ipv6"],
  ["air-gapped", "/docs/air-gapped"],
  ["cost", "/docs/sizing"],
  ["uninstall", "/docs/uninstall"],
  ["webhooks", "/docs/webhooks"],
  ["is my server reachable from outside", "/docs/checks"],
  ["metrics to Prometheus", "/docs/prometheus"],
  // What else is asked in the issues of LiveKit's server and of its installers.
  ["cluster", "/docs/clusters"],
  ["resize", "/docs/larger-machine"],
  ["offline", "/docs/air-gapped"],
  ["remove livekit from my server", "/docs/uninstall"],
  ["pricing", "/pricing"],
  ["how do I cancel my plan", "/terms#cancelling"],
  ["grafana dashboard", "/docs/prometheus#3-see-it-in-grafana"],
  ["kubernetes helm", "/docs/kubernetes"],
  ["load balancer", "/docs/several-servers"],
  ["security group aws", "/docs/firewalls#aws"],
  ["oracle cloud iptables", "/docs/firewalls#oracle-cloud"],
  ["port 443 already in use nginx", "/docs/troubleshooting#port-443-is-in-use"],
  ["no internet docker images", "/docs/air-gapped#2-packages-and-images"],
  ["egress no response from servers", "/docs/recording#when-it-does-not-work"],
  ["use_external_ip node_ip wrong public ip", "/docs/best-practices#network"],
  ["behind cgnat at home", "/docs/firewalls#at-home-or-in-an-office"],
  ["disk full", "/docs/troubleshooting#the-disk-is-full"],
  ["how many users per server", "/docs/limits#of-a-server"],
  ["livekit cloud to self hosted and back", "/docs/livekit-cloud#going-back"],
  ["invite a colleague", "/docs/teams"],
];

/**
 * What people ask who run LiveKit themselves, each from a thread of its own, in our words. Where the answer should
 * stand was written before search was asked: what it did not find was a reason to change pages or words, not this list.
 * Redis got a section of its own since.
 */
const threadQuestions: [question: string, section: string, thread: string][] = [
  ["server behind nat with a private ip", "/docs/best-practices#network", "livekit/livekit#521"],
  ["media over a single udp port", "/docs/firewalls#what-to-open", "livekit/livekit#2915"],
  [
    "livekit cannot reach redis",
    "/docs/troubleshooting#livekit-cannot-reach-redis",
    "livekit/livekit#1901",
  ],
  [
    "egress start signal not received",
    "/docs/recording#when-it-does-not-work",
    "livekit/egress#734",
  ],
  ["more recordings at once", "/docs/recording#what-it-needs", "livekit/egress#999"],
  [
    "inbound call is hung up after a few seconds",
    "/docs/sip#when-a-call-does-not-come-through",
    "livekit/sip#812",
  ],
  [
    "twilio outbound call no response from servers",
    "/docs/sip#when-a-call-does-not-come-through",
    "livekit/livekit#3799",
  ],
  ["agent 401 with own server", "/docs/agents#when-it-does-not-come", "livekit/agents#1325"],
  ["token not valid yet", "/docs/tokens#when-a-token-is-refused", "livekit/livekit#2394"],
  [
    "put a node into drain mode",
    "/docs/best-practices#stopping-without-hanging-up",
    "livekit/livekit#3021",
  ],
  [
    "run without a domain, by ip address",
    "/docs/getting-started#2-choose-names-and-an-address",
    "livekit/livekit#1604",
  ],
  ["use my own ssl certificate", "/docs/security#tls", "bekriebel/fvtt-module-avclient-livekit#4"],
  [
    "nginx instead of caddy in front",
    "/docs/troubleshooting#port-443-is-in-use",
    "livekit/livekit#4385",
  ],
  ["max users per room", "/docs/limits#of-a-server", "livekit/livekit#3041"],
  ["load test fails above 60 rooms", "/docs/limits#of-a-server", "livekit/livekit#3995"],
];

const sections = searchSections();
let search: Awaited<ReturnType<typeof searchOver>>;
beforeAll(async () => {
  search = await searchOver(sections);
});
const addressesFor = (question: string) => search(question).map(({ section }) => section.to);

const missed = (
  questions: readonly (readonly [question: string, section: string, ...unknown[]])[],
) =>
  questions
    .map(([question, section]) => ({ question, section, found: addressesFor(question) }))
    .filter(({ section, found }) => !found.slice(0, 3).includes(section))
    .map(({ question, section, found }) => `${question}: ${section}, not ${found.slice(0, 3)}`);

test("41 questions of operators are answered within three hits", () => {
  expect(operatorQuestions).toHaveLength(41);
  expect(missed(operatorQuestions)).toEqual([]);
});

test("15 questions from threads of people who host LiveKit themselves are answered within three hits", () => {
  expect(new Set(threadQuestions.map(([, , thread]) => thread)).size).toBe(15);
  expect(missed(threadQuestions)).toEqual([]);
});

test("whoever types the title of a page of the documentation finds that page first", () => {
  const titles = sections.filter(({ to, heading }) => to.startsWith("/docs") && !heading);
  expect(titles.map(({ to }) => to).sort()).toEqual(docsPages.map(({ to }) => to).sort());
  const others = titles.filter(({ to, page }) => addressesFor(page)[0]?.split("#")[0] !== to);
  expect(others.map(({ page }) => `${page}: ${addressesFor(page)[0]}`)).toEqual([]);
});

test("the documentation comes before the blog where both answer a question", () => {
  for (const question of ["turn", "sizing"]) {
    const found = addressesFor(question);
    expect(found[0], question).toMatch(/^\/docs/);
    expect(
      found.some((to) => to.startsWith("/blog/")),
      question,
    ).toBe(true);
  }
});

test("every public page is found by its title", () => {
  const pages = publicPaths();
  const byAddress = new Map(sections.map((section) => [section.to, section]));
  expect(pages.filter((path) => !byAddress.has(path))).toEqual([]);
  const lost = pages.filter((path) => {
    const title = byAddress.get(path)?.page ?? "";
    // "About us" says nothing that can be looked up.
    if (stemsOf(title).length === 0) return path !== "/about";
    return !addressesFor(title).some((to) => to.split("#")[0] === path);
  });
  expect(lost).toEqual([]);
});

test("a word that no page has is found by a synonym, and only then", () => {
  expect(addressesFor("deinstall")[0]).toMatch(/^\/docs\/uninstall/);
  expect(addressesFor("letsencrypt")[0]).toMatch(/^\/docs\//);
  const text = sections.find(({ to }) => addressesFor("invoice")[0] === to);
  expect(JSON.stringify(text)).toMatch(/invoice/i);
});
