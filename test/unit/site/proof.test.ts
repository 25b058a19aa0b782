import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { type ProofTexts, proofSections } from "~/features/marketing/proof/figures.ts";
import { type Run, sealed, verifiedRuns } from "~/features/marketing/proof/run.ts";
import texts from "../../../app/content/proof.json" with { type: "json" };
import record from "../../../app/content/runs.json" with { type: "json" };

const run: Run = {
  ...{ command: "npm run proof:real media", startedAt: "2026-11-28T10:00:00.000Z", seconds: 2760 },
  ...{ commit: "0123456789ab", machine: "2 cores", versions: { livekit: "v1.13.11" }, passed: 52 },
  measurements: { "first-boot-s": [31, 28, 44.25], once: [1234.5] },
};

const page = (figures: ProofTexts["sections"][number]["figures"]): ProofTexts => ({
  sections: [{ run: "media", title: "Boots", says: "In words.", figures }],
});

test("a figure of a run that was changed by hand is not shown", async () => {
  const media = await sealed(run);
  expect(await verifiedRuns({ media })).toEqual({ runs: { media: run }, altered: [] });
  const changes: Partial<Run>[] = [
    { passed: 53 },
    { startedAt: "2026-11-29T10:00:00.000Z" },
    { measurements: { ...run.measurements, "first-boot-s": [31, 28, 4.25] } },
    { measurements: { ...run.measurements, more: [1] } },
  ];
  for (const change of changes) {
    const altered = { ...media, run: { ...media.run, ...change } };
    expect(await verifiedRuns({ media: altered })).toEqual({ runs: {}, altered: ["media"] });
  }
  expect(await verifiedRuns({ media: { seal: media.seal } })).toMatchObject({ altered: ["media"] });
});

test("every run in the record is as its command wrote it, and has every figure that the page names", async () => {
  const { runs, altered } = await verifiedRuns(record);
  expect(altered).toEqual([]);
  expect(Object.keys(runs)).not.toEqual([]);
  for (const name of Object.keys(runs)) {
    const sections = texts.sections.filter((section) => section.run === name);
    expect(sections, name).not.toEqual([]);
    for (const { title, figures } of sections) {
      const shown = proofSections(texts, runs).find((section) => section.title === title);
      expect(shown?.figures.map((figure) => figure.name)).toEqual(figures.map((each) => each.name));
    }
  }
});

test("every run in the record names a commit that a reader finds", async () => {
  const git = (...given: string[]) => spawnSync("git", given, { encoding: "utf8" });
  // A clone of the newest commit alone knows no other.
  const isShallow = git("rev-parse", "--is-shallow-repository").stdout.trim() === "true";
  const { runs } = await verifiedRuns(record);
  for (const [name, { commit }] of Object.entries(runs)) {
    const isThere = git("merge-base", "--is-ancestor", commit, "HEAD").status === 0;
    expect(isThere || isShallow, name).toBe(true);
  }
});

test("a figure is made of its run alone: the words of the page have none, but a port", () => {
  for (const { title, says, figures } of texts.sections) {
    const words = [title, says, ...figures.map(({ name }) => name)].join(" ");
    expect(words.replace("port 443", "")).not.toMatch(/\d/);
  }
});

test("medians, the highest, counts and what passed; without a measurement no figure, without a run no section", () => {
  const [shown] = proofSections(
    page([
      { name: "boot", kind: "median", measurement: "first-boot-s", unit: "s" },
      { name: "slowest", kind: "highest", measurement: "first-boot-s", unit: "s" },
      { name: "boots", kind: "count", measurement: "first-boot-s" },
      { name: "once", kind: "median", measurement: "once" },
      { name: "the only one", kind: "highest", measurement: "once", unit: "ms" },
      { name: "summary", kind: "summary", measurement: "once", unit: "ms" },
      { name: "tests", kind: "passed" },
      { name: "never measured", kind: "median", measurement: "never" },
    ]),
    { media: run },
  );
  expect(shown?.figures).toEqual([
    { name: "boot", value: "31 s", range: "median of 3, 28 to 44.3 s" },
    { name: "slowest", value: "44.3 s", range: "the highest of 3" },
    { name: "boots", value: "3", range: "" },
    { name: "once", value: "1,230", range: "measured once" },
    { name: "the only one", value: "1,230 ms", range: "measured once" },
    { name: "summary", value: "1,230 ms", range: "" },
    { name: "tests", value: "52", range: "" },
  ]);
  expect(proofSections(page([{ name: "tests", kind: "passed" }]), {})).toEqual([]);
});
