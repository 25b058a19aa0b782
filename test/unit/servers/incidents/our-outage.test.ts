import { expect, test } from "vitest";
import type { ServerRecord } from "~/features/servers/fleet/server-record.ts";
import type { Outage } from "~/features/servers/fleet/silence.ts";
import { OurOutage } from "../../../../workers/servers/fleet/our-outage.ts";
import { fleetSettings } from "../../../support/servers/fleet-settings.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";

const server: ServerRecord = {
  ...{ id: "server", deployment: "deployment", name: "sfu-1", enrolledAt: begin, keyHash: "" },
  ...{ machine: "", instance: "", refused: [], boots: [], bucket: { left: 10, at: begin } },
  ...{ changes: [], reportAt: begin, silence: { foundAt: begin + 3 * minute } },
};

/** A fleet whose judge answers `judge`, and how often it was told that so many servers fell. */
function fleetWith(judge: { answer: Outage | "away" }) {
  const fell: number[] = [];
  const tell = (_: string, told: { fell: number }) => {
    if (judge.answer === "away") throw new Error("away");
    fell.push(told.fell);
    return Promise.resolve(judge.answer);
  };
  const env = { OUTAGES: { getByName: () => ({ tell }) } } as unknown as ServersEnv;
  return { fell, outage: new OurOutage(fleetSettings(), env, "fleet") };
}

test("an outage of ours ends after half an hour where the judge cannot be reached", async () => {
  const judge: { answer: Outage | "away" } = { answer: { since: begin } };
  const { outage } = fleetWith(judge);
  await outage.tell([server], begin + 4 * minute);
  judge.answer = "away";
  await outage.tell([server], begin + 29 * minute);
  expect(outage.last).toEqual({ since: begin });
  await outage.tell([server], begin + 31 * minute);
  await outage.tell([server], begin + 40 * minute);
  expect(outage.last).toEqual({ since: begin, endedAt: begin + 31 * minute });
});

test("a silence that is counted anew after an outage of ours is told to the judge once", async () => {
  const { fell, outage } = fleetWith({ answer: { since: begin, endedAt: begin + minute } });
  const { silence: _, ...late } = server;
  await outage.tell([late], begin);
  for (const seconds of [190, 210, 230]) await outage.tell([late], begin + seconds * 1000);
  expect(fell).toEqual([0]);
  await outage.tell([late], begin + 4 * minute);
  expect(fell).toEqual([0, 1]);
});
