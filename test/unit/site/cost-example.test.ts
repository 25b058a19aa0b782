import { expect, test } from "vitest";
import { offers } from "~/content/plans.ts";
import { examplePlan, sizeOf, trafficCost } from "~/content/sizing.ts";
import notes from "~/features/deployments/wizard/machine-notes.json" with { type: "json" };
import { costExample } from "~/features/marketing/cost-example.server.ts";

const amount = (words: string | undefined) => Number(words?.replace(/[$,]/g, ""));
const { month } = sizeOf(examplePlan);

test("each total is the plan, the machine's dated list price and the traffic, from their data (7)", () => {
  const example = costExample(notes);
  expect(example?.totals.map(({ provider }) => provider)).toEqual(["Digital Ocean", "AWS"]);
  for (const [at, key, traffic] of [
    [0, "digital-ocean amd64", "digitalocean"],
    [1, "aws amd64", "aws"],
  ] as const) {
    const shown = example?.totals[at];
    const plan = offers.basic.amount / 100;
    expect(amount(example?.plan)).toBe(plan);
    expect(amount(shown?.machinePrice)).toBe(Math.round(notes[key].monthly.small ?? 0));
    expect(amount(shown?.trafficPrice)).toBe(Math.round(trafficCost(traffic, month)));
    const sum = plan + amount(shown?.machinePrice) + amount(shown?.trafficPrice);
    expect(amount(shown?.total)).toBe(Math.round(sum));
    expect(shown?.source.says).toMatch(/on [A-Z][a-z]+ \d+, 20\d\d/);
    expect(shown?.source.to).toBe(notes[key].page);
  }
});

test("a machine that costs more makes the total more", () => {
  const dearer = structuredClone(notes);
  dearer["aws amd64"].monthly.small += 1_000;
  const [, before] = costExample(notes)?.totals ?? [];
  const [, after] = costExample(dearer)?.totals ?? [];
  expect(amount(after?.total) - amount(before?.total)).toBe(1_000);
});

test("a provider whose price we do not know is left out, and without any there is no example", () => {
  const { "aws amd64": aws, ...others } = notes;
  expect(costExample(others)?.totals).toHaveLength(1);
  const unknown = { ...aws, monthly: { small: null, medium: null, large: null } };
  expect(costExample({ "aws amd64": unknown })).toBeUndefined();
  expect(costExample(undefined)).toBeUndefined();
});
