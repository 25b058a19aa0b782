import { expect, test } from "vitest";
import * as z from "zod";
import { advisories } from "~/features/deployments/bundle/advisories.ts";
import {
  type Catalogued,
  catalogue,
  type Program,
} from "~/features/deployments/bundle/releases.ts";
import {
  advisoriesOf,
  checkTag,
  components,
  isAtLeast,
  namesVersion,
  newerThanPinned,
  pinned,
  recommendedTag,
  releasesOf,
} from "~/features/deployments/bundle/versions.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { at, read, textOf } from "../../../support/deployments/bundle-checks.ts";
import { runningMachine } from "../../../support/deployments/machine.ts";

function made(versions: Record<string, string>, answers: Record<string, unknown> = {}) {
  return bundle(optionsFrom({ domain: "livekit.example.com", versions, ...answers }));
}

const programs = Object.keys(catalogue) as Program[];
const idsOf = (program: Program, tag: string) =>
  advisoriesOf(program, tag).map(({ ids }) => ids[0]);

test("the table of versions is in order, allows what it lists, and nothing bad is known of what is pinned", () => {
  for (const program of programs) {
    const releases = [...releasesOf(program)];
    const days = releases.map(([, day]) => day);
    expect(days, program).toEqual(days.toSorted());
    for (const [tag, day] of releases) {
      expect(namesVersion(tag), tag).toBe(true);
      expect(day, tag).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
    expect(releasesOf(program).has(catalogue[program].pinned), program).toBe(true);
    expect(idsOf(program, catalogue[program].pinned), program).toEqual([]);
  }
  for (const component of components) {
    for (const tag of releasesOf(component).keys())
      expect(checkTag(component, tag), tag).toEqual({ tag });
    expect(releasesOf(component).get(pinned[component].tag)).toBe(pinned[component].date);
  }
});

test("each advisory says where it can be read and which versions mend it, in order", () => {
  const version = z.string().regex(/^\d+\.\d+\.\d+$/);
  const advisory = z.strictObject({
    ids: z.array(z.string().regex(/^(CVE-|GHSA-|GO-|livekit\/livekit#|redis )/)).min(1),
    source: z.url({ protocol: /^https$/ }),
    severity: z.enum(["fault", "security"]),
    exposure: z.enum(["internet", "turn", "none"]),
    reason: z.string().regex(/^[A-Z].*[^.]$/),
    since: version.optional(),
    fixedIn: z.array(version),
  });
  for (const program of programs)
    for (const each of advisories[program]) {
      const { fixedIn } = advisory.parse(each);
      for (const [index, mended] of fixedIn.entries())
        if (index > 0) expect(isAtLeast(mended, fixedIn[index - 1] ?? ""), mended).toBe(true);
    }
});

test("every image and program of a bundle with everything is in the table (M1, A5)", () => {
  const all = made(
    {},
    {
      ingress: "both",
      recording: { kind: "local" },
      sip: { kind: "on", sources: ["198.51.100.0/24"] },
      monitoring: "24/7",
      certificates: "dns-hetzner",
      backups: {
        frequency: "daily",
        target: { kind: "s3", bucket: "backups", region: "eu-central-1" },
      },
    },
  );
  const services = at(read(textOf(all, "docker-compose.yaml")), "services") as Record<
    string,
    { image: string }
  >;
  const images = Object.entries(services).map(([name, { image }]) => [name, image]);
  const env = textOf(all, "deployment.env");
  const others = ["rclone", "lego"].map((name) => [
    name,
    new RegExp(`^${name.toUpperCase()}_IMAGE='(.*)'$`, "m").exec(env)?.[1],
  ]);
  const scripts = all.files.map(({ content }) => content).join("\n");
  const downloads = [
    ...scripts.matchAll(/github\.com\/\S+?\/(\S+?)\/releases\/download\/(\S+?)\//g),
  ].map(([, name, tag]) => [name, tag]);
  expect(Object.fromEntries([...images, ...others, ...downloads])).toEqual(
    Object.fromEntries(
      programs.map((program) => {
        const entry: Catalogued = catalogue[program];
        return [program, "image" in entry ? `${entry.image}:${entry.pinned}` : entry.pinned];
      }),
    ),
  );
  const checksums = ["compose", "age"].flatMap((program) => {
    const entry: Catalogued = catalogue[program as Program];
    return "image" in entry ? [] : Object.values(entry.checksums[entry.pinned] ?? {});
  });
  expect(
    textOf(all, "install-tools.sh")
      .match(/\b[0-9a-f]{64}\b/g)
      ?.sort(),
  ).toEqual(checksums.sort());
});

test("a version newer than the pinned one is named, for it is not tested", () => {
  expect(newerThanPinned("egress")).toBeUndefined();
  expect(
    newerThanPinned("livekit", {
      pinned: "v1.13.5",
      releases: { "v1.13.5": "2026-07-31", "v1.13.6": "2026-08-26" },
    }),
  ).toEqual({
    tag: "v1.13.6",
    date: "2026-08-26",
  });
});

test("what the pins of before lacked is in the table: LiveKit (A1, A2), Caddy (A3), Redis (A4), the rest (A5, N6)", () => {
  expect(idsOf("livekit", "v1.13.5")).toEqual(
    [4743, 4756, 4725, 4843, 4992].map((number) => `livekit/livekit#${number}`),
  );
  expect(idsOf("livekit", "v1.13.3")).toContain("livekit/livekit#4591");
  expect(idsOf("livekit", "v1.13.9")).toEqual(["livekit/livekit#4992"]);
  expect(idsOf("livekit", "v1.13.10")).toEqual([]);
  expect(idsOf("caddy", "v2.10.2")).toHaveLength(4);
  expect(idsOf("caddy", "v2.11.2")).toEqual(["GO-2026-5730", "GHSA-j8px-rmrx-76h9"]);
  expect(idsOf("redis", "7.4.6-alpine")).toHaveLength(4);
  expect(idsOf("redis", "7.4.6-alpine")).toContain("CVE-2026-23479");
  expect(idsOf("redis", "7.4.9-alpine")).toEqual(["redis 7.4.10", "CVE-2026-81934"]);
  expect(idsOf("redis", "8.2.9")).toEqual([]);
  expect(idsOf("redis", "7.0.15")).toHaveLength(advisories.redis.length);
  expect(idsOf("prometheus", "v3.5.0")).toEqual(["CVE-2026-40179", "CVE-2026-42154"]);
  expect(idsOf("prometheus", "v3.16.0")).toEqual([]);
  expect(idsOf("rclone", "1.74.4")).toEqual(["CVE-2026-116189", "CVE-2026-134353"]);
});

test("an advisory affects from its first version to the one that mends it, in each minor version", () => {
  for (const tag of ["v1.9.9", "v1.9.11"])
    expect(idsOf("livekit", tag), tag).not.toContain("livekit/livekit#4219");
  expect(idsOf("livekit", "v1.9.10")).toContain("livekit/livekit#4219");
  for (const tag of ["7.2.4-alpine", "7.4.5-alpine", "8.0.3", "8.2.1"])
    expect(idsOf("redis", tag), tag).toContain("CVE-2025-49844");
  for (const tag of ["7.2.11", "7.4.6-alpine", "8.0.4", "8.2.2-alpine", "8.4.0", "9.0.0"])
    expect(idsOf("redis", tag), tag).not.toContain("CVE-2025-49844");
});

test("the recommended version is the pinned one, and never a lower one", () => {
  expect(recommendedTag("livekit", "v1.13.5")).toBe(pinned.livekit.tag);
  expect(recommendedTag("redis", "7.4.6-alpine")).toBe(pinned.redis.tag);
  expect(recommendedTag("redis", "8.2.1")).toBeUndefined();
});

test("a version of which something bad is known is warned about, with the version that mends it", () => {
  expect(made({ livekit: "v1.9.10" }).warnings).toEqual(
    expect.arrayContaining(
      ["1.9.11 mends it.", "1.12.0 mends it.", "1.13.10 mends it."].map((words) => ({
        path: "versions.livekit",
        message: expect.stringMatching(words),
      })),
    ),
  );
  expect(made({ redis: "7.4.5-alpine" }).warnings).toContainEqual({
    path: "versions.redis",
    message:
      "7.4.5-alpine is better skipped. A client that has its password can run programs on it (CVE-2025-49844); 6.2.20, 7.2.11, 7.4.6, 8.0.4 and 8.2.2 mend it.",
  });
});

test("the machine knows every version of which something bad is known, and its own where no table lists it", () => {
  const badVersions = (versions: Record<string, string>) =>
    /^KNOWN_BAD='(.*)'$/m.exec(textOf(made(versions), "deployment.env"))?.[1]?.split(",");
  expect(badVersions({})).toEqual(
    expect.arrayContaining([
      "livekit:v1.9.10",
      "livekit:v1.13.5",
      "caddy:v2.10.2",
      "prometheus:v3.5.0",
    ]),
  );
  expect(badVersions({})).not.toContain("livekit:v1.13.10");
  expect(badVersions({ redis: "7.4.5-alpine" })).toContain("redis:7.4.5-alpine");
});

test("an update to a version of which something bad is known is refused", () => {
  using server = runningMachine();
  const { status, output } = server.run("update", ["--to", "livekit=v1.9.10"]);
  expect(output).toContain("v1.9.10 of livekit is known to be bad. Nothing was changed.");
  expect(status).toBe(64);
});
