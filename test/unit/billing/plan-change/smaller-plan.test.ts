import { expect, test } from "vitest";
import { lossesOfDowngrade, readOnlyUnder } from "~/features/deployments/plan/smaller-plan";
import { readStoredOptions } from "~/features/deployments/stored-deployment";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";

const plain = readStoredOptions(optionsFrom({ domain: "one.example.com" }));
const withMedia = readStoredOptions(
  optionsFrom({
    domain: "two.example.com",
    ingress: "rtmp",
    recording: { kind: "local" },
    monitoring: "advanced",
  }),
);

const deployment = (name: string, createdAt: string, stored = plain) => ({
  id: `id of ${name}`,
  name,
  createdAt,
  stored,
});

test("under Basic the deployment that was made first can be changed, and no other", () => {
  const three = [
    deployment("newest", "2026-11-03T10:00:00+00:00"),
    deployment("first", "2026-11-01T10:00:00+00:00"),
    deployment("second", "2026-11-02T10:00:00+00:00"),
  ];
  expect(lossesOfDowngrade(three, "Basic")).toEqual({
    readOnly: ["second", "newest"],
    kept: [],
  });
  const [, first, second] = three;
  expect(
    readOnlyUnder(
      "Basic",
      [first, second].flatMap((each) => each ?? []),
    ),
  ).toEqual([second]);
  expect(readOnlyUnder("Basic", three.slice(1, 2))).toEqual([]);
});

test("deployments made in one millisecond are distinguished by their microseconds", () => {
  const pair = [
    deployment("later", "2026-11-01T10:00:00.1234+00:00"),
    deployment("earlier", "2026-11-01T10:00:00.123+00:00"),
    deployment("latest", "2026-11-01T10:00:00.123456+00:00"),
  ];
  expect(lossesOfDowngrade(pair, "Basic").readOnly).toEqual(["later", "latest"]);
});

test("choices that stay in the files are named by deployment, also of one that stays changeable", () => {
  const both = [
    deployment("Media", "2026-11-01T10:00:00+00:00", withMedia),
    deployment("Plain", "2026-11-02T10:00:00+00:00"),
    deployment("Broken", "2026-11-03T10:00:00+00:00", { problems: [] }),
  ];
  expect(lossesOfDowngrade(both, "Basic")).toEqual({
    readOnly: ["Plain", "Broken"],
    kept: [{ name: "Media", choices: ["advanced monitoring", "Ingress", "recording"] }],
  });
});

test("Pro takes nothing away", () => {
  const pair = [
    deployment("Media", "2026-11-01T10:00:00+00:00", withMedia),
    deployment("Plain", "2026-11-02T10:00:00+00:00"),
  ];
  expect(lossesOfDowngrade(pair, "Pro")).toEqual({ readOnly: [], kept: [] });
});
