import { expect, test } from "vitest";
import {
  advisoriesOf,
  checkTag,
  components,
  newerThanPinned,
  pinned,
  releasesOf,
} from "~/features/deployments/bundle/versions.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";
import { runningMachine } from "../../../support/deployments/machine.ts";

function made(versions: Record<string, string>) {
  return bundle(optionsFrom({ domain: "livekit.example.com", versions }));
}

test("the table of versions is in order, allows what it lists, and nothing bad is known of what is pinned", () => {
  for (const component of components) {
    const releases = [...releasesOf(component)];
    const days = releases.map(([, day]) => day);
    expect(days, component).toEqual(days.toSorted());
    for (const [tag, day] of releases) {
      expect(checkTag(component, tag), tag).toEqual({ tag });
      expect(day, tag).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
    expect(releasesOf(component).get(pinned[component].tag), component).toBe(
      pinned[component].date,
    );
    expect(advisoriesOf(component, pinned[component].tag), component).toEqual([]);
  }
});

test("a version newer than the pinned one is named, for it is not tested", () => {
  expect(newerThanPinned("livekit")).toEqual({ tag: "v1.13.11", date: "2026-10-25" });
  expect(newerThanPinned("egress")).toBeUndefined();
});

test("a version of which something bad is known is warned about, with the version that mends it", () => {
  const affected = (component: (typeof components)[number], tag: string) =>
    advisoriesOf(component, tag).length > 0;
  for (const tag of ["v1.8.4", "v1.9.10", "v1.10.0", "v1.11.0"])
    expect(affected("livekit", tag), tag).toBe(true);
  for (const tag of ["v1.12.0", "v1.13.5", "v1.13.11", "v2.0.0"])
    expect(affected("livekit", tag), tag).toBe(false);
  for (const tag of ["7.0.15", "7.2.4-alpine", "7.4.5-alpine", "8.0.3", "8.2.1"])
    expect(affected("redis", tag), tag).toBe(true);
  for (const tag of ["7.2.11", "7.4.6-alpine", "8.0.4", "8.2.2-alpine", "8.4.0", "9.0.0"])
    expect(affected("redis", tag), tag).toBe(false);
  expect(made({ livekit: "v1.9.10" }).warnings).toEqual(
    expect.arrayContaining(
      ["v1.9.11 mends it.", "v1.12.0 mends it."].map((words) => ({
        path: "versions.livekit",
        message: expect.stringMatching(words),
      })),
    ),
  );
});

test("the machine knows every version of which something bad is known, and its own where no table lists it", () => {
  const badVersions = (versions: Record<string, string>) =>
    /^KNOWN_BAD='(.*)'$/m.exec(textOf(made(versions), "deployment.env"))?.[1]?.split(",");
  expect(badVersions({})).toEqual(expect.arrayContaining(["livekit:v1.9.10", "livekit:v1.11.0"]));
  expect(badVersions({})).not.toContain("livekit:v1.12.0");
  expect(badVersions({ redis: "7.4.5-alpine" })).toContain("redis:7.4.5-alpine");
});

test("an update to a version of which something bad is known is refused", () => {
  using server = runningMachine();
  const { status, output } = server.run("update", ["--to", "livekit=v1.9.10"]);
  expect(output).toContain("v1.9.10 of livekit is known to be bad. Nothing was changed.");
  expect(status).toBe(64);
});
