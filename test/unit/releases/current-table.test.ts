import { expect, test } from "vitest";
import { type Advisory, advisories } from "~/features/deployments/bundle/advisories.ts";
import { catalogue, type Program } from "~/features/deployments/bundle/releases.ts";
import {
  currentTable,
  nextTable,
  withNewestPins,
} from "../../../scripts/releases/current-table.ts";
import type { Table } from "../../../scripts/releases/judge.ts";
import { publishers } from "../../../scripts/releases/publishers.ts";

const stored: Table = Object.fromEntries(
  (Object.keys(catalogue) as Program[]).map((program) => [
    program,
    { ...catalogue[program], advisories: advisories[program] },
  ]),
);

/** A release as GitHub lists it. */
const release = (tag: string, day: string, more: object = {}) => ({
  tag_name: tag,
  name: tag,
  draft: false,
  prerelease: false,
  created_at: `${day}T09:00:00Z`,
  published_at: `${day}T10:11:12Z`,
  ...more,
});

/** An advisory as GitHub lists those of a repository. */
const githubAdvisory = (id: string, range: string, patched: string) => ({
  ghsa_id: id,
  cve_id: null,
  html_url: `https://github.com/owner/name/security/advisories/${id}`,
  summary: "A crafted call ends the server.",
  severity: "high",
  state: "published",
  vulnerabilities: [
    {
      package: { ecosystem: "go", name: "github.com/owner/name" },
      vulnerable_version_range: range,
      patched_versions: patched,
      vulnerable_functions: [],
    },
  ],
});

/** What the publishers answer by address; anything else is empty. */
function publisher(answers: Readonly<Record<string, unknown>>) {
  const calls: string[] = [];
  const fetch = async (url: string, init?: RequestInit) => {
    const body = typeof init?.body === "string" ? ` ${init.body}` : "";
    calls.push(`${init?.method ?? "GET"} ${url}${body}`);
    const answer = Object.entries(answers).find(([part]) => `${url}${body}`.includes(part))?.[1];
    if (typeof answer === "number") return new Response("", { status: answer });
    if (typeof answer === "string") return new Response(answer);
    if (answer !== undefined) return Response.json(answer);
    if (url.includes("hub.docker.com")) return new Response();
    if (url.includes("api.osv.dev")) return Response.json({});
    if (url.endsWith("/@v/list")) return new Response("");
    const known = { Version: "v0.0.1", Time: "2020-01-01T00:00:00Z" };
    return Response.json(url.endsWith("/@latest") ? known : []);
  };
  return { fetch, calls };
}

test("where the publishers list nothing new the table stays as it is, and every program is asked for", async () => {
  const { fetch, calls } = publisher({});
  expect(await currentTable(stored, fetch)).toEqual({ table: stored, missing: [], problems: [] });
  for (const { github, parts = [] } of Object.values(publishers)) {
    for (const part of parts)
      expect(calls).toContain(
        `POST https://api.osv.dev/v1/query {"package":{"name":"github.com/${part}","ecosystem":"Go"}}`,
      );
    expect(calls).toContain(`GET https://api.github.com/repos/${github}/releases?per_page=100`);
    expect(calls).toContain(
      `GET https://api.github.com/repos/${github}/security-advisories?state=published&per_page=100`,
    );
  }
  expect(calls).toContain(
    'POST https://api.osv.dev/v1/query {"package":{"name":"github.com/caddyserver/caddy/v2","ecosystem":"Go"}}',
  );
});

test("stable releases after the newest listed one are added with their days, in order", async () => {
  const { fetch } = publisher({
    "repos/livekit/livekit/releases": [
      release("v1.15.0-rc1", "2027-01-20", { prerelease: true }),
      release("v1.14.1", "2027-01-09"),
      release("v1.14.0", "2027-01-09"),
      release("v1.13.12", "2027-01-08", { draft: true, published_at: null }),
      release("v1.13.10", "2026-10-14"),
    ],
    "repos/redis/redis/releases": [
      release("8.12.0", "2027-01-02"),
      release("7.4.12", "2027-01-02"),
    ],
    "repos/rclone/rclone/releases": [release("v1.77.0", "2027-01-03")],
  });
  const { table } = await currentTable(stored, fetch);
  const added = (program: Program) =>
    Object.entries(table[program]?.releases ?? {}).slice(
      Object.keys(catalogue[program].releases).length,
    );
  expect(added("livekit")).toEqual([
    ["v1.14.0", "2027-01-09"],
    ["v1.14.1", "2027-01-09"],
  ]);
  expect(added("redis")).toEqual([["7.4.12-alpine", "2027-01-02"]]);
  expect(added("rclone")).toEqual([["1.77.0", "2027-01-03"]]);
  expect(table.redis?.upstream).toEqual({ newest: "8.12.0-alpine", day: "2027-01-02" });
  expect(withNewestPins(table).livekit?.pinned).toBe("v1.14.1");
});

test("the Go proxy is read where GitHub is silent, and what is silent is named", async () => {
  const proxy = "https://proxy.golang.org/github.com/livekit/livekit-server";
  const { fetch } = publisher({
    "repos/livekit/livekit/releases": 403,
    [`${proxy}/@v/list`]: "v1.13.11\nv1.13.12\nv1.14.0-rc.1\n",
    [`${proxy}/@latest`]: { Version: "v1.13.13", Time: "2026-12-03T04:05:06Z" },
    [`${proxy}/@v/v1.13.12.info`]: { Version: "v1.13.12", Time: "2026-12-01T04:05:06Z" },
    "api.osv.dev": "no JSON",
  });
  const { table, missing } = await currentTable(stored, fetch);
  expect(Object.entries(table.livekit?.releases ?? {}).slice(-2)).toEqual([
    ["v1.13.12", "2026-12-01"],
    ["v1.13.13", "2026-12-03"],
  ]);
  expect(missing).toContain("GitHub's releases of livekit/livekit: Error: HTTP 403");
  expect(missing.join()).toContain("OSV's advisories of github.com/livekit/livekit-server: ");
});

test("a mirror of the Go proxy that knows no newest version is read by its list", async () => {
  const proxy = "https://proxy.golang.org/github.com/rclone/rclone";
  const { fetch } = publisher({
    [`${proxy}/@latest`]: 404,
    [`${proxy}/@v/list`]: "v1.76.0\nv1.76.1\n",
    [`${proxy}/@v/v1.76.1.info`]: { Version: "v1.76.1", Time: "2026-12-01T04:05:06Z" },
  });
  const { table, missing } = await currentTable(stored, fetch);
  expect(missing).toEqual([]);
  expect(Object.entries(table.rclone?.releases ?? {}).at(-1)).toEqual(["1.76.1", "2026-12-01"]);
});

test("a release is listed once Docker Hub has its image, and noted beside the table before", async () => {
  const { fetch, calls } = publisher({
    "repos/caddyserver/caddy/releases": [
      release("v2.12.0", "2027-01-04"),
      release("v2.11.9", "2026-11-04"),
    ],
    "repositories/caddyl4/tags/v2.12.0": 404,
    "repos/redis/redis/releases": [release("7.4.12", "2027-01-02")],
    "repositories/redis/tags/7.4.12-alpine": 404,
    "repos/rclone/rclone/releases": [release("v1.77.0", "2027-01-03")],
    "repositories/rclone/tags/1.77.0": 429,
  });
  const { table, missing, problems } = await currentTable(stored, fetch);
  expect(Object.keys(table.caddy?.releases ?? {}).at(-1)).toBe("v2.11.9");
  expect(table.caddy?.upstream).toEqual({ newest: "v2.12.0", day: "2027-01-04" });
  expect(table.redis?.releases).toEqual(stored.redis?.releases);
  // A tag of which nobody knows waits for the next day.
  expect(table.rclone?.releases).toEqual(stored.rclone?.releases);
  expect(table.rclone?.upstream).toEqual({ newest: "1.77.0", day: "2027-01-03" });
  expect(missing).toEqual(["Docker Hub's tag rclone/rclone:1.77.0: Error: HTTP 429"]);
  expect(problems).toEqual([]);
  expect(calls).toContain(
    "HEAD https://hub.docker.com/v2/namespaces/library/repositories/redis/tags/7.4.12-alpine",
  );
  const { fetch: dayAfter } = publisher({
    "repos/rclone/rclone/releases": [release("v1.77.0", "2027-01-03")],
  });
  const { rclone } = (await currentTable(table, dayAfter)).table;
  expect(Object.keys(rclone?.releases ?? {}).at(-1)).toBe("1.77.0");
  expect(rclone).not.toHaveProperty("upstream");
});

const composeAssets = (x86: string, aarch64: string | null) => [
  { name: "docker-compose-linux-x86_64", digest: `sha256:${x86}` },
  { name: "docker-compose-linux-x86_64.sha256", digest: `sha256:${"e".repeat(64)}` },
  { name: "docker-compose-linux-aarch64", digest: aarch64 && `sha256:${aarch64}` },
];

test("a program that is downloaded is listed once GitHub has the checksum of each file, and pinned with them", async () => {
  const sums = { x86_64: "a".repeat(64), aarch64: "b".repeat(64) };
  const { fetch, calls } = publisher({
    "repos/docker/compose/releases": [
      release("v2.40.5", "2027-01-03", { assets: composeAssets(sums.x86_64, null) }),
      release("v2.40.4", "2027-01-02", { assets: composeAssets(sums.x86_64, sums.aarch64) }),
    ],
    "filippo.io/age/@v/list": "v1.3.3\n",
    "filippo.io/age/@v/v1.3.3.info": { Version: "v1.3.3", Time: "2027-01-04T04:05:06Z" },
  });
  const { table, problems } = await nextTable(stored, fetch, {
    movesPins: true,
    today: "2026-11-28",
  });
  expect(problems).toEqual([]);
  expect(table.compose).toMatchObject({ pinned: "v2.40.4", checksums: { "v2.40.4": sums } });
  expect(table.compose?.releases).not.toHaveProperty("v2.40.5");
  // The Go proxy knows no files.
  expect(table.age).toEqual({ ...stored.age, upstream: { newest: "v1.3.3", day: "2027-01-04" } });
  expect(calls.join()).not.toMatch(/hub\.docker\.com\S*(compose|age\/)/);
});

test("a pin whose file at GitHub is another than the table's is a problem", async () => {
  const assets = composeAssets("a".repeat(64), catalogue.compose.checksums["v2.40.3"].aarch64);
  const { fetch } = publisher({
    "repos/docker/compose/releases": [release("v2.40.3", "2025-10-30", { assets })],
  });
  expect((await currentTable(stored, fetch)).problems).toEqual([
    "compose v2.40.3 has other files at GitHub than those of the table: no new machine takes them.",
  ]);
});

test("an advisory of Caddy's layer 4 is a problem until the table names it, for its versions are not the image's", async () => {
  const id = "GHSA-aaaa-bbbb-cccc";
  const { fetch } = publisher({
    "repos/mholt/caddy-l4/security-advisories": [githubAdvisory(id, "< 0.1.3", "0.1.3")],
  });
  const source = `https://github.com/owner/name/security/advisories/${id}`;
  const { table, problems } = await currentTable(stored, fetch);
  expect(problems).toEqual([
    `caddy has an advisory of mholt/caddy-l4 that the table lacks: ${id} ${source}`,
  ]);
  expect(table.caddy).toEqual(stored.caddy);
  const [known] = advisories.caddy;
  const judged = { ...known, ids: [id], source, fixedIn: ["2.11.4"] } as Advisory;
  const named = {
    ...stored,
    caddy: { ...catalogue.caddy, advisories: [...advisories.caddy, judged] },
  };
  expect((await currentTable(named, fetch)).problems).toEqual([]);
});

test("a pin whose image is not at Docker Hub is a problem", async () => {
  const { fetch } = publisher({ "repositories/egress/tags": 404 });
  expect((await currentTable(stored, fetch)).problems).toEqual([
    `egress ${catalogue.egress.pinned} has no image at Docker Hub: no new machine can start.`,
  ]);
});

test("a program of which no source answers is a problem, and one silent source of two is only named", async () => {
  const { fetch } = publisher({
    "repos/livekit/livekit/": 503,
    "repos/livekit/egress/releases": 503,
    "repos/livekit/sip/security-advisories": "no JSON",
  });
  const { missing, problems } = await currentTable(stored, fetch);
  expect(missing).toHaveLength(4);
  expect(problems).toEqual([
    "egress: no source of its releases answered.",
    "sip: no source of its advisories answered.",
  ]);
});

test("a pin of main with an advisory is a problem until the change with a better one is merged", async () => {
  const { fetch } = publisher({
    "repos/livekit/livekit/releases": [release("v1.14.0", "2027-01-09")],
    "repos/livekit/livekit/security-advisories": [
      githubAdvisory("GHSA-aaaa-bbbb-cccc", "< 1.14.0", "1.14.0"),
    ],
  });
  const former = { ...stored, egress: { ...catalogue.egress, pinned: "v1.13.0", advisories: [] } };
  const { table, problems } = await nextTable(former, fetch, {
    movesPins: true,
    today: "2026-11-28",
  });
  expect(table).toMatchObject({ livekit: { pinned: "v1.14.0" }, egress: { pinned: "v1.14.1" } });
  expect(problems).toEqual([
    `livekit ${catalogue.livekit.pinned} has an advisory: GHSA-aaaa-bbbb-cccc, mended in 1.14.0.`,
    "egress v1.13.0 is behind: v1.14.0 is out for 115 days.",
  ]);
  const merged = await nextTable(table, fetch, { movesPins: true, today: "2026-11-28" });
  expect(merged.problems).toEqual([]);
});

test("a pin moves to the newest release without an advisory, and never back", () => {
  const faultyNewest = {
    ids: ["redis 9"],
    source: "https://example.com",
    severity: "fault",
    exposure: "none",
    reason: "It stops",
    since: "1.14.1",
    fixedIn: [],
  } as const;
  const entry = (pinned: string) => ({
    livekit: {
      image: "livekit/livekit-server",
      pinned,
      releases: { "v1.13.11": "2026-10-25", "v1.14.0": "2026-12-01", "v1.14.1": "2026-12-30" },
      advisories: [faultyNewest],
    },
  });
  expect(withNewestPins(entry("v1.13.11")).livekit?.pinned).toBe("v1.14.0");
  expect(withNewestPins(entry("v1.14.1")).livekit?.pinned).toBe("v1.14.1");
});

test("an advisory that the table lacks is added with the worst exposure, from GitHub and from OSV once", async () => {
  const { fetch } = publisher({
    "repos/livekit/livekit/security-advisories": [
      githubAdvisory("GHSA-aaaa-bbbb-cccc", ">= 1.13.0, < 1.13.12", "1.13.12"),
      githubAdvisory("GHSA-old0-old0-old0", "< 1.0.0", "1.0.0"),
      githubAdvisory("GHSA-none-none-none", ">= 1.13.0", ""),
    ],
    '"name":"github.com/livekit/livekit-server"': {
      vulns: [{ id: "GO-2027-1", aliases: ["GHSA-aaaa-bbbb-cccc"], affected: [] }],
    },
    '"name":"github.com/caddyserver/caddy/v2"': {
      vulns: [
        { id: "GO-2026-5730", aliases: [], affected: [] },
        {
          id: "GO-2027-2",
          aliases: ["CVE-2027-2"],
          summary: "Denial of service in layer 4",
          affected: [
            {
              package: { name: "github.com/caddyserver/caddy/v2", ecosystem: "Go" },
              ranges: [{ type: "SEMVER", events: [{ introduced: "0" }, { fixed: "2.11.6" }] }],
            },
          ],
          references: [{ type: "WEB", url: "https://example.com" }],
        },
      ],
    },
  });
  const { table } = await currentTable(stored, fetch);
  expect(table.livekit?.advisories.slice(advisories.livekit.length)).toEqual([
    {
      ids: ["GHSA-aaaa-bbbb-cccc"],
      source: "https://github.com/owner/name/security/advisories/GHSA-aaaa-bbbb-cccc",
      severity: "security",
      exposure: "internet",
      reason: "A crafted call ends the server",
      since: "1.13.0",
      fixedIn: ["1.13.12"],
    },
    expect.objectContaining({ ids: ["GHSA-none-none-none"], fixedIn: [] }),
  ]);
  expect(table.caddy?.advisories.slice(advisories.caddy.length)).toMatchObject([
    { ids: ["GO-2027-2", "CVE-2027-2"], fixedIn: ["2.11.6"] },
  ]);
});

test("where we stay with a line, the table says what is newer and why it is not taken", () => {
  for (const [program, { minor }] of Object.entries(publishers))
    if (minor)
      expect(stored[program], program).toMatchObject({ reason: expect.any(String), upstream: {} });
});
