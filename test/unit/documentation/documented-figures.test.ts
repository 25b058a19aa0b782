import { globSync, readFileSync } from "node:fs";
import { parse as parseToml } from "smol-toml";
import { expect, test } from "vitest";
import { planQuotas } from "~/content/plans.ts";
import workspaceWords from "~/content/workspace-pages.json" with { type: "json" };
import { largestReport } from "~/features/agents/usage/reports.server.ts";
import { advisories } from "~/features/deployments/bundle/advisories.ts";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { proLimits } from "~/features/deployments/bundle/options/pro-limits.ts";
import { advisoriesOf, components, pinned } from "~/features/deployments/bundle/versions.ts";
import { maxRows } from "~/features/google/mail/merge-table.ts";
import { roleMay } from "~/features/workspaces/roles.ts";
import {
  largestOptions,
  maxIdentityBytes,
  maxTokens,
  siteQuotas,
} from "~/platform/database/quotas.ts";
import { type Right, roleRights } from "~/platform/database/role-rights.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { defaultOptions, optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { at } from "../../support/deployments/bundle-checks.ts";
import { numberOf, tableOf } from "../../support/documentation/tables.ts";

const limits = readFileSync("app/content/docs/limits.md", "utf8");
const figures = (title: string) =>
  Object.fromEntries(
    tableOf("docs/limits", title).map(([what = "", ...cells]) => [what, cells.map(numberOf)]),
  );

/** Where each row about a minute is counted. */
const countedBy: Readonly<Record<string, string>> = {
  "Sign-in, sign-up, mailed links, changes of your account": "SIGN_IN_LIMIT",
  "Checkouts, changes of a plan, the billing page": "CHECKOUT_LIMIT",
  "Saving, making and deleting deployments": "DEPLOYMENT_LIMIT",
  "Keeping what you type and have not saved": "UNSAVED_LIMIT",
  "Downloads of zips and files": "DOWNLOAD_LIMIT",
  "Looks at DNS records and servers": "LOOK_LIMIT",
  "Saving the model configuration, tokens and allowances": "CONFIGURATION_LIMIT",
  "Reading the statistics of usage": "USAGE_READ_LIMIT",
  "Calls to Google's tools": "GOOGLE_LIMIT",
  "Calls of agents, by token": "API_LIMIT",
  "Calls of agents, by network": "API_ADDRESS_LIMIT",
  "Calls without a good token, by network": "UNKNOWN_TOKEN_LIMIT",
  "Messages by the contact form": "CONTACT_LIMIT",
  "Tries to send the contact form": "CONTACT_READ_LIMIT",
  "Renewals of a session": "REFRESH_LIMIT",
  "Reports of browsers about a page's policy": "REPORT_LIMIT",
};

test("the page of limits has every limit of a minute, as Cloudflare counts it", () => {
  const { ratelimits } = parseToml(readFileSync("wrangler.toml", "utf8"));
  const set = (Array.isArray(ratelimits) ? ratelimits : []).map((each) => [
    at(each, "name"),
    at(each, "simple.limit"),
    at(each, "simple.period"),
  ]);
  const written = tableOf("docs/limits", "In one minute").map(([what = "", max]) => [
    countedBy[what],
    numberOf(max),
    60,
  ]);
  expect(written.toSorted()).toEqual(set.toSorted());
});

test("it has the quotas of each plan, and what is the same for all", () => {
  const { none, basic, pro } = planQuotas;
  const plans = [none, basic, pro];
  expect(figures("What a plan includes")).toEqual({
    Deployments: plans.map(({ deployments }) => deployments),
    "Servers that report to the console": plans.map(({ servers }) => servers),
    "Members of a workspace": plans.map(({ members }) => members),
    "Usage events of agents on a day (UTC)": plans.map(({ usageEventsADay }) => usageEventsADay),
    "Identities on a day of the statistics": plans.map((plan) => plan.usageIdentitiesADay),
    "Allowances of tokens": plans.map(({ tokenAllowances }) => tokenAllowances),
  });
  expect(figures("The same for every plan")).toEqual({
    "Versions kept of a deployment": [siteQuotas.deploymentVersions],
    "Versions kept of a model configuration": [siteQuotas.configurationVersions],
    "Tokens for agents": [maxTokens],
    "Days that sums of usage are kept": [siteQuotas.usageDaysKeptDays],
    "Days that an event's id is remembered": [siteQuotas.usageEventsKeptDays],
  });
  const [sentence = ""] = /Pro alone has these: .*?\./.exec(limits) ?? [];
  for (const { listed } of proLimits) expect(sentence).toContain(listed);
});

test("the page about teams has what each role may do", () => {
  const rights = Object.entries(workspaceWords.rights).map(([right, words]) => [
    words,
    ...roleRights.see.map((role) => (roleMay(role, right as Right) ? "yes" : "no")),
  ]);
  expect(tableOf("docs/teams", "What each role may do in a workspace")).toEqual(rights);
});

/** The option of each row, and an answer with so much of it. */
const answers: Readonly<Record<string, [path: string, answer: (amount: number) => object]>> = {
  "Participants in a room": ["rooms.maxParticipants", (n) => ({ rooms: { maxParticipants: n } })],
  "Tracks on the server": ["limits.tracks", (n) => ({ limits: { tracks: n } })],
  "Disk in GB": ["disk", (n) => ({ disk: n })],
  "Wait for a quiet moment, minutes": ["drain.minutes", (n) => ({ drain: { minutes: n } })],
  "Empty room waits, seconds": ["rooms.emptyTimeout", (n) => ({ rooms: { emptyTimeout: n } })],
  "Further domains": [
    "extraDomains",
    (n) => ({ extraDomains: several(n, (i) => `d${i}.example.com`) }),
  ],
  "Webhook addresses": [
    "webhooks",
    (n) => ({ webhooks: several(n, (i) => `https://w${i}.example.com/`) }),
  ],
  "Firewall rules of yours": [
    "firewall",
    (n) => ({
      firewall: {
        preset: "custom",
        rules: several(n, (i) => ({
          protocol: "tcp",
          ports: String(20_001 + i),
          source: "203.0.113.0/24",
        })),
      },
      sshSource: ["203.0.113.0/24"],
    }),
  ],
  "Networks for SSH": ["sshSource", (n) => ({ sshSource: several(n, (i) => `203.0.113.${i}/32`) })],
};

function several<T>(amount: number, make: (index: number) => T): T[] {
  return Array.from({ length: Math.max(amount, 0) }, (_, index) => make(index));
}

test.each(tableOf("docs/limits", "What the wizard takes"))(
  "of %s the wizard takes from %s to %s, and has %s at first",
  (what = "", from, to, first) => {
    const [path, answer] = answers[what] ?? ["", () => ({})];
    const takes = (amount: number) => {
      const { problems = [] } = parseOptions({
        domain: "livekit.example.com",
        email: "you@example.com",
        ...answer(amount),
      });
      return problems.length === 0;
    };
    expect([takes(numberOf(from)), takes(numberOf(to)), takes(numberOf(to) + 1)]).toEqual([
      true,
      true,
      false,
    ]);
    const initial = at(defaultOptions, path);
    const amount =
      typeof initial === "number" ? initial : Array.isArray(initial) ? initial.length : 0;
    expect(amount).toBe(numberOf(first));
  },
);

test("it has the sizes that the code refuses more of", () => {
  const sizes = Object.fromEntries(tableOf("docs/limits", "Sizes"));
  expect(sizes["All answers of a deployment together"]).toBe(`${largestOptions / 1024} KiB`);
  expect(sizes["A report of usage, with all its events"]).toBe(`${largestReport / 1024 ** 2} MiB`);
  expect(sizes["An identity"]).toBe(`${maxIdentityBytes} bytes`);
  expect(sizes["Rows of a mail merge"]).toBe(String(maxRows));
  const mails = readFileSync("app/features/account/sign-in/mail-limits.server.ts", "utf8");
  expect(limits).toContain(
    "In an hour five links or codes go to one address, three of them asked for by one network, and one network may ask for 20.",
  );
  expect(mails).toMatch(
    /"mail-from", maxAttempts: 20[\s\S]*"mail", maxAttempts: 5[\s\S]*"mail-from-one", maxAttempts: 3/,
  );
  expect(limits).toContain(
    `From one network ${siteQuotas.contactMessagesADayOfOne} messages a day`,
  );
});

test("the changelog has the versions that a new bundle has, and names what is wrong with others", () => {
  const rows = tableOf("docs/changelog", "Pinned versions");
  expect(rows.map(([, tag, date]) => [tag, date])).toEqual(
    components.map((component) => [pinned[component].tag, pinned[component].date]),
  );
  expect(rows.map(([name = ""]) => name.toLowerCase())).toEqual([...components]);
  for (const tag of ["v1.9.10", "v1.10.0"]) {
    expect(rows[0]?.[3]).toContain(tag);
    const patch = advisories.livekit.find(({ since }) => `v${since}` === tag);
    expect(patch && advisoriesOf("livekit", tag)).toContain(patch);
  }
  expect(rows[0]?.[3]).toContain(`before v${advisories.livekit.at(-1)?.fixedIn}`);
});

test("the changelog is in order, newest first, and as new as its page says", () => {
  const changelog = readFileSync("app/content/docs/changelog.md", "utf8");
  const days = [...changelog.matchAll(/^## (\d+ \w+ \d{4})$/gm)].map(([, day = ""]) =>
    new Date(`${day} UTC`).toISOString().slice(0, 10),
  );
  expect(days.length).toBeGreaterThan(2);
  expect(days).toEqual(days.toSorted().reverse());
  expect(changelog).toContain(`\ndate: ${days[0]}\n`);
});

/** The five ways of the specification's sign-in, with the call of each and the file that tests it by name. */
const five = [
  ["a phone as second factor", 'factorType: "phone"', "integration/account/account-phone-factor"],
  ["phone_change", "updateUser({ phone })", "integration/account/account-phone-number"],
  ["id_token", "signInWithIdToken", "integration/auth/one-tap"],
  ["anonymous", "signInAnonymously", "real/auth/anonymous"],
  ["sso", "signInWithSSO", "integration/auth/single-sign-on"],
] as const;

test.each(five)("the specification's %s is built, and has tests by name", (name, call, file) => {
  const code = globSync("app/features/{account,auth,trial}/**/*.ts")
    .map((each) => readFileSync(each, "utf8"))
    .join("\n");
  expect(code).toContain(call);
  expect(readFileSync(`test/${file}.test.ts`, "utf8")).toContain(name);
  expect(readFileSync("app/content/docs/security.md", "utf8")).not.toContain("Not built");
});

test("what a recorded room takes on the disk is what Egress writes by default", () => {
  // 720p with 30 frames, without options in the request: livekit/egress v1.14.1, pkg/config/pipeline.go.
  const gigabytes = (((3_000 + 128) * 1_000) / 8) * (3_600 / 1e9);
  const local = bundle(optionsFrom({ domain: "a.example.com", recording: { kind: "local" } }));
  const warned = local.warnings.map(({ message }) => message).join("\n");
  const readme = local.files.find(({ path }) => path === "README.md")?.content ?? "";
  const pages = ["docs/recording", "blog/sizing-and-egress"].map((page) =>
    readFileSync(`app/content/${page}.md`, "utf8"),
  );
  for (const text of [warned, readme, ...pages])
    expect(text.match(/\babout ([\d.]+) GB (?:an|in an) hour/i)?.[1]).toBe(gigabytes.toFixed(1));
});

test("what a recording costs is the same on every page that says it", () => {
  const costs = ([kind = "", cores]: string[]) => [kind, cores];
  const recording = tableOf("docs/recording", "Cores per recording").map(costs);
  const article = tableOf("blog/sizing-and-egress", "What Egress charges").map(costs);
  expect(recording.filter(([kind]) => kind !== "Audio only")).toEqual(article);
  expect(recording[0]).toEqual(["Room composite", "4"]);
  const pages = globSync("app/content/**/*.{md,ts}").map((file) => readFileSync(file, "utf8"));
  const sentences = pages.flatMap(
    (text) => text.match(/[^.\n]*\b(?:composite|whole room)[^.\n]*/g) ?? [],
  );
  const counted = sentences.flatMap(
    (text) => text.match(/\b(?:\d+|three|four|five|six) cores\b/g) ?? [],
  );
  expect(counted.length).toBeGreaterThan(4);
  expect(counted.filter((words) => !/^(4|four|2|10|8) cores$/.test(words))).toEqual([]);
});
