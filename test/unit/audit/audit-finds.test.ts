import { expect, test } from "vitest";
import { audit } from "../../../app/features/audit/audit.ts";
import { rules } from "../../../app/features/audit/rules/rules.ts";
import { companions, plants } from "../../support/audit/plants.ts";
import { layouts, NoPlace, Scene } from "../../support/audit/scene.ts";

const names = Object.keys(layouts);

const withCompanions = (codes: readonly string[]): string[] =>
  [...new Set(codes.flatMap((code) => [code, ...(companions[code] ?? [])]))].sort();

/** What is found in a scene, by code. */
const codesIn = (scene: Scene): string[] => [
  ...new Set(audit(scene.files).findings.map(({ code }) => code)),
];

/** The scene with the fault in it; undefined where the layout has no place for it. */
function planted(layout: string, plant: (scene: Scene) => void, scene = new Scene(layout)) {
  try {
    plant(scene);
    return scene;
  } catch (error) {
    if (error instanceof NoPlace) return;
    throw error;
  }
}

test.each(names)(
  "nothing is found in the good configuration %s, and each file is known",
  (name) => {
    const report = audit(new Scene(name).files);
    expect(
      report.findings.map(({ code, file, line, subject }) => ({ code, file, line, subject })),
    ).toEqual([]);
    expect(report.refused).toEqual([]);
    expect(report.files).toHaveLength(Object.keys(layouts[name] ?? {}).length);
  },
);

test("there are ten good configurations, at least sixty rules, and a plant for each", () => {
  expect(names).toHaveLength(10);
  expect(rules.length).toBeGreaterThanOrEqual(60);
  expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length);
  expect(Object.keys(plants).sort()).toEqual(rules.map(({ code }) => code).sort());
});

test.each(rules.map(({ code }) => code))(
  "%s is found wherever it is planted, and nothing beside it",
  (code) => {
    for (const plant of plants[code] ?? []) {
      const scenes = names.flatMap((name) => planted(name, plant) ?? []);
      expect(scenes.length).toBeGreaterThan(0);
      for (const scene of scenes) expect(codesIn(scene).sort()).toEqual(withCompanions([code]));
    }
  },
);

/** The numbers of a seed, from 0 to below 1: mulberry32. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Faults of one subject change the same lines, so that one may hide another. */
function subjectsOf(code: string): string[] {
  if (/^turn\.(relay\.overlap|udp\.in-range)$/.test(code)) return ["turn", "rtc"];
  if (/^(rtc\.turn-servers|proxy|nginx|traefik)/.test(code)) return ["turn"];
  if (/^caddy\.(layer4|storage)/.test(code)) return ["compose"];
  if (/^caddy/.test(code)) return ["turn"];
  if (/^(signalling|ports|compose\.ports)/.test(code)) return ["rtc"];
  if (/^(webhook|mode)/.test(code)) return ["keys"];
  if (/^(room|limit|metrics|debug)/.test(code)) return ["livekit"];
  if (/^nodes/.test(code)) return ["redis"];
  if (/^egress\.(storage|output)/.test(code)) return ["storage"];
  if (/^services/.test(code)) return ["egress", "sip"];
  if (/^image/.test(code)) return ["compose"];
  return [code.split(".")[0] ?? ""];
}

const meet = (one: string, other: string): boolean =>
  subjectsOf(one).some((subject) => subjectsOf(other).includes(subject));

/** A hundred configurations with up to four faults of different subjects, each rule in one of them at least. */
function seeded(): { name: string; scene: Scene; codes: string[] }[] {
  const random = numbersFrom(38);
  // First what is not planted yet, and of that what fewest layouts have a place for.
  const uses = new Map(
    rules.map(({ code }) => [
      code,
      names.filter((name) => plants[code]?.some((plant) => planted(name, plant))).length / 10,
    ]),
  );
  return Array.from({ length: 100 }, (_, index) => {
    const name = names[index % names.length] ?? "";
    let scene = new Scene(name);
    const codes: string[] = [];
    const byUse = rules
      .map(({ code }) => ({ code, order: (uses.get(code) ?? 0) * 10 + random() }))
      .sort((one, other) => one.order - other.order);
    for (const { code } of byUse) {
      if (codes.length === 4) break;
      if (codes.some((each) => meet(each, code))) continue;
      const ways = plants[code] ?? [];
      const way = ways[Math.floor(random() * ways.length)];
      const copy = new Scene(name);
      Object.assign(copy.texts, scene.texts);
      const next = way && planted(name, way, copy);
      if (!next) continue;
      scene = next;
      codes.push(code);
      uses.set(code, (uses.get(code) ?? 0) + 2);
    }
    return { name, scene, codes };
  });
}

const hundred = seeded();

test("the hundred seeded configurations have each fault at least once", () => {
  const found = new Set(hundred.flatMap(({ codes }) => codes));
  expect(rules.map(({ code }) => code).filter((code) => !found.has(code))).toEqual([]);
});

test.each(hundred.map((each, index) => [index, each.name, each] as const))(
  "in seeded configuration %i (%s) each planted fault is found, and nothing else",
  (_index, _name, { scene, codes }) => {
    expect(codesIn(scene).sort()).toEqual(withCompanions(codes));
  },
);
