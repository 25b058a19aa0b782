import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pinned } from "~/features/deployments/bundle/versions.ts";
import { findCallPrograms } from "../../real/call/requirements.ts";
import { findClusterRequirements } from "../../real/cluster/requirements.ts";
import {
  builtPrograms,
  findMediaRequirements,
  systemPrograms,
} from "../../real/media/requirements.ts";

const bare = { isRootOfLinux: false, isExecutable: () => false, output: () => undefined };
const script = readFileSync("test/real/media/build-programs.sh", "utf8");

/** What the proof says of a system. */
function needs(...system: Parameters<typeof findMediaRequirements>): string {
  try {
    return findMediaRequirements(...system).notPinned.join("\n");
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}

test("on a bare system the proof of media names a command for everything that it needs", () => {
  const sentences = needs({}, bare);
  const [, packages = ""] = /apt-get install --no-install-recommends (.+)/.exec(sentences) ?? [];
  expect(packages.split(" ").sort()).toEqual(
    [...new Set([...Object.values(systemPrograms), "systemd"])].sort(),
  );
  const [, command = ""] = /MEDIA_PROGRAMS=\S+ && sh (\S+)/.exec(sentences) ?? [];
  expect(command).toBe("test/real/media/build-programs.sh");
  expect(sentences).toContain("Go is missing (1.26 or later)");
  expect(sentences).toContain("npm run proof:real media");
  for (const program of builtPrograms) {
    expect(sentences).toContain(program);
    expect(script, program).toMatch(new RegExp(`(/| )${program}(@\\S+|["' ]|$)`, "m"));
  }
});

test("on a bare system the proof of clusters asks for HAProxy in the same command", () => {
  expect(() => findClusterRequirements({}, bare)).toThrow(
    /apt-get install --no-install-recommends docker\.io .*haproxy/,
  );
});

test("on a bare system the proof of calls names a command for everything that it needs", () => {
  expect(() => findCallPrograms(bare)).toThrow(/sudo .* npm run proof:real call/);
  expect(() => findCallPrograms(bare)).toThrow(
    /apt-get install .*iproute2.*nftables.*redis-server/,
  );
});

test("M6: build-programs.sh builds LiveKit, Caddy and Redis as bundles pin them, and no module without a version", () => {
  for (const component of ["livekit", "caddy", "redis"])
    expect(script).toMatch(new RegExp(`\\$\\((cd \\S+ && )?pinned ${component}\\)`));
  const fetched = script
    .split("\n")
    .filter((line) => /^\s*(go (install|get)|program|\w+=github)|livekit-server@/.test(line))
    .flatMap((line) => line.match(/github\.com\/\S+/g) ?? []);
  expect(fetched.length).toBeGreaterThanOrEqual(7);
  for (const module of fetched) expect(module).toMatch(/^[^@]+@(v\d|\$\()/);
});

const number = (tag: string) => tag.replace(/^v|-.*/g, "");

test.for([
  ["livekit-server", "livekit", true],
  ["caddy", "caddy", true],
  ["redis-server", "redis", false],
] as const)(
  "M6: a %s of another version than the pinned one is found out, and in CI it is none",
  ([program, component, isMissing]) => {
    const system = (version: string) => ({
      isRootOfLinux: true,
      isExecutable: () => true,
      output: (file: string) =>
        file.endsWith(program) ? `${program} version v${version} h1:abc` : "",
    });
    const environment = { MEDIA_PROGRAMS: "/programs" };
    const wanted = number(pinned[component].tag);
    expect(needs(environment, system(wanted))).toBe("");
    const sentences = needs(environment, system("1.0.1"));
    const versionsWith = (version: string) =>
      findMediaRequirements(environment, system(version)).versions;
    expect(versionsWith(wanted)).toMatchObject({ [component]: pinned[component].tag });
    // A recorded run says in which version a program ran.
    if (!isMissing) expect(versionsWith("1.0.1")).toMatchObject({ [component]: "1.0.1" });
    // In CI no proof counts that ran with another one.
    expect(needs({ ...environment, CI: "true" }, system("1.0.1"))).toContain("build-programs.sh");
    expect(sentences).toContain(`${program} is 1.0.1`);
    expect(sentences).toContain(`bundles pin ${wanted}.`);
    expect(sentences.includes("build-programs.sh")).toBe(isMissing);
  },
);
