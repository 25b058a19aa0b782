import { expect, test } from "vitest";
import architecture from "../../../app/content/architecture.json" with { type: "json" };
import { yearlyWords } from "../../../app/content/plan-words.ts";
import { offers, planQuotas, type plans, priceLabel } from "../../../app/content/plans.ts";
import { services } from "../../../app/content/services.ts";
import storyTexts from "../../../app/content/stories.json" with { type: "json" };
import { optionTable } from "../../../app/features/deployments/bundle/options/options.ts";
import { parseOptions } from "../../../app/features/deployments/bundle/options/parse-options.ts";
import { proLimits } from "../../../app/features/deployments/bundle/options/pro-limits.ts";
import machineNotes from "../../../app/features/deployments/wizard/machine-notes.json" with {
  type: "json",
};
import { costExample } from "../../../app/features/marketing/cost-example.server.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

type Proof = () => void | Promise<void>;

type Claim = {
  /** The words that promise something, with the words beside them that say how far it goes. */
  says: string;
  on: readonly string[];
  /** Fails unless the promise is true. A target or an example needs none: its own words say that it is one. */
  holds?: Proof;
};

const { continents } = architecture;
const locations = continents.flatMap(({ regions }) => regions);
const { note: storiesNote, stories } = storyTexts;
const storyPaths = stories.map(({ id }) => `/spotlight?story=${id}`);
const shown = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** The lines of the table on /pricing. test/unit/site/cost-example.test.ts holds that they add up. */
const { plan = "", totals = [] } = costExample(machineNotes) ?? {};
const costLines = [
  `Basic by the month ${totals.map(() => plan).join(" ")}`,
  `The machine ${totals.map(({ machine, machinePrice }) => `${machine} ${machinePrice}`).join(" ")}`,
  `Its traffic ${totals.map(({ trafficPrice }) => trafficPrice).join(" ")}`,
  `Together, about ${totals.map(({ total }) => total).join(" ")}`,
].join(" ");

const claims: readonly Claim[] = [
  { says: costLines, on: ["/pricing"], holds: () => expect(totals).toHaveLength(2) },
  {
    says: "uptime is the target of several servers, which nobody has measured 99.99%",
    on: ["/"],
    holds: onPage("/cloud-architecture", "Targets of several servers, which nobody has measured."),
  },
  { says: "the uptime of each server by month", on: ["/docs/alerts", "/docs/changelog"] },
  { says: "latency is the target with a server near your users < 100 ms", on: ["/"] },
  {
    says: "uptime 99.99% A target for several instances: at most 4 minutes and 20 seconds of downtime in 30 days.",
    on: ["/cloud-architecture"],
    holds: () => expect((1 - 0.9999) * 30 * 24 * 3600).toBeLessThanOrEqual(4 * 60 + 20),
  },
  { says: "latency <100 ms A target: between a participant", on: ["/cloud-architecture"] },
  {
    says: "sub-100ms latency Thirteen locations put an instance near",
    on: ["/cloud-architecture"],
    holds: onPage("/cloud-architecture", "<100 ms A target"),
  },
  {
    says: "No single point of failure Every instance can do the work of every other. This holds once Redis runs with Sentinel or as a cluster: one Redis alone is such a point. A room stops with its instance",
    on: ["/cloud-architecture"],
  },
  {
    says: "locations 13 On six continents, in the clouds that you know.",
    on: ["/cloud-architecture"],
    // The Middle East has a heading of its own and is in Asia.
    holds: () => expect([locations.length, continents.length - 1]).toEqual([13, 6]),
  },
  {
    says: "Thirteen places where the supported clouds have data centres: the machines are yours, we run none.",
    on: ["/cloud-architecture"],
    holds: () => expect(locations).toHaveLength(13),
  },
  {
    says: "thirteen locations, failover and scaling, and which form of a deployment has what.",
    on: ["/cloud-architecture"],
    holds: () => expect(locations).toHaveLength(13),
  },
  {
    says: yearlyWords,
    on: ["/", "/pricing"],
    holds: () => {
      expect(offers.pro.amount).toBeLessThan(12 * offers.basic.amount);
      expect(yearlyWords).toContain("$999.99/year is less than twelve months of Basic ($1,319.88)");
    },
  },
  { says: `a server today, from ${priceLabel(offers.basic)}.`, on: ["/"] },
  { says: `${priceLabel(offers.basic)}, your machine and its traffic`, on: ["/"] },
  {
    // Another company's prices, with when they were read and where.
    says: "From $0 with 5,000 participant minutes and 50 GB out; its plan Ship from $50 a month with 150,000 and 250 GB, then $0.0005 a minute and $0.12 a GB; Scale from $500 with 1,500,000 and 3 TB",
    on: ["/"],
    holds: onPage("/", "what its page said on 25 September 2026"),
  },
  {
    says: `${shown(offers.basic.amount)} per month`,
    on: ["/", "/pricing"],
    holds: () => expect(offers.basic).toMatchObject({ amount: 10_999, interval: "month" }),
  },
  {
    says: `${shown(offers.pro.amount)} per year`,
    on: ["/", "/pricing"],
    holds: () => expect(offers.pro).toMatchObject({ amount: 99_999, interval: "year" }),
  },
  ...(["24/7 support", "SLA guarantees", "Priority support"] as const).map((says) => ({
    says,
    on: ["/pricing"],
    holds: () => planLines[says](),
  })),
  {
    says: "Guaranteed service levels are part of the Enterprise plan only, as agreed in writing",
    on: ["/terms"],
  },
  {
    says: "Pro customers come first. Support around the clock is part of an Enterprise agreement. Outside such an agreement we promise no time in which we answer.",
    on: ["/support"],
  },
  {
    says: "Pro with priority support: Pro customers come first. An Enterprise agreement has support around the clock.",
    on: ["/faq"],
    holds: onPage("/support", "Outside such an agreement we promise no time in which we answer."),
  },
  {
    says: "Pro customers come first. An Enterprise agreement has somebody on duty around the clock.",
    on: ["/contact"],
    holds: onPage("/support", "Outside such an agreement we promise no time in which we answer."),
  },
  {
    // What the customer's own server does: it runs alert rules and sends a message.
    says: "Monitoring Select an option Basic Advanced 24/7",
    on: ["/services?service=security-advanced"],
    holds: () => expect(optionTable.monitoring.field().safeParse("24/7").success).toBe(true),
  },
  ...["Advanced or 24/7 monitoring", "a deployment with 24/7 monitoring"].map((says) => ({
    says,
    on: ["/docs/prometheus"],
    // The name of an answer: what the customer's own server does.
    holds: () => expect(optionTable.monitoring.field().safeParse("24/7").success).toBe(true),
  })),
  {
    says: "Meetings on three continents",
    on: ["/spotlight", ...storyPaths],
    holds: onPage("/spotlight", storiesNote),
  },
  ...stories.map(({ id, metrics }) => ({
    says: `Active Users ${metrics.users} Uptime ${metrics.uptime} Latency ${metrics.latency}`,
    on: [`/spotlight?story=${id}`],
    holds: onPage(`/spotlight?story=${id}`, storiesNote),
  })),
];

type PlanLine = (typeof plans)[number]["features" | "notIncluded"][number];

/** Enterprise is agreed one by one, and its page says so. */
const agreed = onPage("/pricing", "What Enterprise includes is agreed in writing.");

/** What makes each line of the price list true. */
const planLines: Record<PlanLine, Proof> = {
  "Single server deployment": () => expect(planQuotas.basic.deployments).toBe(1),
  "Multiple server deployments": onPage(
    "/pricing",
    `Basic has one, Pro up to ${planQuotas.pro.deployments};`,
  ),
  "Automated SSL/TLS": () => {
    const { options } = parseOptions({ domain: "av.example.com", email: "a@example.com" });
    const names = options ? bundle(options).files.map(({ path }) => path) : [];
    expect(names.filter((name) => name.endsWith("caddy.yaml"))).toHaveLength(1);
  },
  "Basic monitoring": () => expect(optionTable.monitoring.field().parse(undefined)).toBe("basic"),
  "Advanced monitoring": onlyInPro("monitoring"),
  "Email support": async () => {
    const html = await (await fetch(`${siteUrl}/support`)).text();
    expect(html).toMatch(/href="mailto:[^"@]+@[^"]+"[^>]*>Email us/);
    expect((await fetch(`${siteUrl}/contact?topic=support`)).status).toBe(200);
  },
  // People keep this one. What a test can hold is that the page says how far it goes.
  "Priority support": onPage(
    "/support",
    "Outside such an agreement we promise no time in which we answer.",
  ),
  "Community access": onPage(
    "/pricing",
    "LiveKit's own Slack, open to everybody. It is not a service of ours.",
  ),
  "Custom domain setup": onlyInPro("extraDomains"),
  "Ingress/egress support": onlyInPro("ingress", "recording.kind"),
  "Automatic backups": onlyInPro("backups.frequency"),
  "Custom deployment solutions": agreed,
  "24/7 support": agreed,
  "Dedicated account manager": agreed,
  "Custom integration support": agreed,
  "SLA guarantees": agreed,
  "Training sessions": agreed,
};

/** What a reader may take for a promise: a number that sells, or a word that binds. */
const sells = [
  /\b\d+(?:\.\d+)? ?%/,
  /\d ?ms\b/,
  /\$\d[\d,]*(?:\.\d\d|(?= ?(?:\/|per|an?\b)))|\$\d{2,}/,
  /\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen) (?:locations|places|continents|regions|data.cent\w+|customers|users|teams|companies)/,
];
const binds = [
  /\b24\/7|around the clock/,
  /\bSLAs?\b|service levels?|guarantee\w*/,
  /\buptime\b|single point of failure|highly available/,
  /\b(?:answer|reply|respond|respon\w+ times?)\w* (?:within|in (?:an?|one|two|\d+)\b)/,
  /priority support|come first/,
  /trusted by|certified|unlimited|money.back/,
];

/**
 * Pages that teach have numbers about machines, networks and clouds. There a number may be a promise only in a sentence
 * that names us or a plan.
 */
const teaches = (path: string) => /^\/(docs|blog)(\/|$)/.test(path);
const namesUs = /\b(?:we|our|us|Basic|Pro|Enterprise|LiveKit Deploy)\b/;

/** Where the words at a path promise something. */
function promisesIn(path: string, words: string): string[] {
  const found = (text: string, patterns: readonly RegExp[]) =>
    patterns.flatMap(({ source }) =>
      [...text.matchAll(new RegExp(source, "gi"))].map(({ index }) =>
        text.slice(Math.max(0, index - 60), index + 60),
      ),
    );
  const selling = teaches(path)
    ? words.split(/(?<=[.:?!])\s/).filter((sentence) => namesUs.test(sentence))
    : [words];
  return [...selling.flatMap((text) => found(text, sells)), ...found(words, binds)];
}

const paths = [
  // The figures of /proof change with each run: proof-page.test.ts shows that it has none but those of runs.
  ...publicPaths().filter((path) => path !== "/proof"),
  ...storyPaths,
  ...services.map(({ kind }) => `/services?service=${kind}`),
];

test.each(sample(claims, 8))("$says: shown, and true", async ({ says, on, holds }) => {
  for (const path of on) expect(await wordsAt(path), path).toContain(says);
  await holds?.();
});

testInProof.each(Object.entries(planLines))(
  "%s: shown in the price list, and true",
  async (line, holds) => {
    expect(await wordsAt("/pricing")).toContain(line);
    await holds();
  },
);

test("no public page promises anything that is not in the list above", async () => {
  const unknown: string[] = [];
  for (const path of paths) {
    const known = claims.filter(({ on }) => on.includes(path));
    const words = await wordsAt(path);
    const rest = known.reduce((left, { says }) => left.replaceAll(says, " · "), words);
    unknown.push(...promisesIn(path, rest).map((words) => `${path}: ${words}`));
  }
  expect(unknown).toEqual([]);
});

const pages = new Map<string, Promise<string>>();

/** What somebody reads at a path, and what a search engine shows of it. */
function wordsAt(path: string): Promise<string> {
  const words = pages.get(path) ?? readWords(path);
  pages.set(path, words);
  return words;
}

async function readWords(path: string): Promise<string> {
  const html = await (await fetch(siteUrl + path)).text();
  const described = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? "";
  return `${textOfHtml(html)} ${described}`
    .replaceAll("&lt;", "<")
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}

function onPage(path: string, words: string): Proof {
  return async () => expect(await wordsAt(path), path).toContain(words);
}

function onlyInPro(...fields: string[]): Proof {
  return () => expect(proLimits.map(({ field }) => field)).toEqual(expect.arrayContaining(fields));
}

test("each block of /cloud-architecture says which form has it, and the page leads to the proof", async () => {
  const words = await wordsAt("/cloud-architecture");
  expect(architecture.features).toHaveLength(6);
  for (const { name, description, forms } of architecture.features)
    expect(words).toContain(`${name} ${description} Has it today: ${forms}`);
  expect(words).toContain("as they are published, is on Proof");
});
