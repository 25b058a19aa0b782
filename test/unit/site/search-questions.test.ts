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
  ["metrics to Prometheus", "/docs/prometheus"],
  // What else is asked in the issues of LiveKit's server and of its installers.
  ["cluster", "/docs/clusters"],
  ["resize", "/docs/larger-machine"],
  ["offline", "/docs/air-gapped"],
  ["remove livekit from my server", "/docs/uninstall"],
  ["pricing", "/pricing"],
  ["how do I cancel my plan", "/terms#cancelling"],
  ["grafana dashboard", "/docs/prometheus#3-see-it-in-grafana"],
  ["kubernetes helm", "/docs/clusters"],
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

const sections = searchSections();
let search: Awaited<ReturnType<typeof searchOver>>;
beforeAll(async () => {
  search = await searchOver(sections);
});
const addressesFor = (question: string) => search(question).map(({ section }) => section.to);

test("40 questions of operators are answered within three hits", () => {
  expect(operatorQuestions).toHaveLength(40);
  const missed = operatorQuestions
    .map(([question, section]) => ({ question, section, found: addressesFor(question) }))
    .filter(({ section, found }) => !found.slice(0, 3).includes(section))
    .map(({ question, section, found }) => `${question}: ${section}, not ${found.slice(0, 3)}`);
  expect(missed).toEqual([]);
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
