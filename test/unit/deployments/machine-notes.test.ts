import { expect, test } from "vitest";
import { providers } from "~/features/deployments/bundle/provider-table.ts";
import written from "~/features/deployments/wizard/machine-notes.json" with { type: "json" };
import { machineNotes } from "../../../scripts/generate/machine-notes.ts";

test("the file that the wizard shows says what the tables of providers and prices say", () => {
  expect(written, "npm run wizard:notes").toEqual(machineNotes());
});

test("beside each size stand the provider's machine, its memory and its price with day, place and source", () => {
  const { notes, ...prices } = written["hetzner amd64"];
  expect(notes["size medium"]).toBe("ccx23 · 4 vCPU, 16 GB · about €86 a month");
  expect(notes["region eu-west"]).toBe("Falkenstein (fsn1)");
  expect(prices.prices).toContain("List prices in Germany on October 9, 2026, without tax");
  expect(prices).toMatchObject({
    page: "https://www.hetzner.com/cloud/",
    link: "Hetzner's prices",
  });
});

test("where no figure could be relied on, the provider's own page is named and no price is", () => {
  const { notes, prices } = written["oracle arm64"];
  expect(notes["size small"]).toBe("VM.Standard.A1.Flex · 2 vCPU, 4 GB · see the provider's price");
  expect(prices).toBe("");
});

test("every provider's machines of each processor are described", () => {
  const machines = Object.entries(providers).flatMap(([id, { arm }]) =>
    id === "other" ? [] : arm ? [`${id} amd64`, `${id} arm64`] : [`${id} amd64`],
  );
  expect(Object.keys(written).toSorted()).toEqual(machines.toSorted());
  for (const { notes, page } of Object.values(written)) {
    expect(Object.keys(notes)).toHaveLength(7);
    expect(page).toMatch(/^https:/);
  }
});
