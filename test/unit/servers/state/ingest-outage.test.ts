import { expect, test, vi } from "vitest";
import { stepServer } from "~/features/servers/incidents/causes.ts";
import type { Report, ServerRecord } from "~/features/servers/state/server-record.ts";
import type { Outage } from "~/features/servers/state/state.ts";
import {
  IngestOutage,
  type SilenceCounts,
} from "../../../../app/features/servers/state/ingest-outage.server.ts";
import { fleetSettings } from "../../../support/servers/fleet-settings.ts";
import { begin, minute } from "../../../support/servers/incident-step.ts";

const server: ServerRecord = {
  ...{
    id: "server",
    deployment: "deployment",
    name: "sfu-1",
    enrolledAt: begin - 30 * 24 * 60 * minute,
    keyHash: "",
  },
  ...{ machine: "", instance: "", refused: [], boots: [], bucket: { left: 10, at: begin } },
  ...{ changes: [], reportAt: begin, silence: { foundAt: begin + 3 * minute } },
};

/** A fleet whose judge answers `judge`; `sentCounts` has the counts reported to it, and `fell` those that fell. */
function fleetWith(judge: { answer: Outage | "away" }) {
  const fell: number[] = [];
  const sentCounts: SilenceCounts[] = [];
  const tell = (_: string, counts: SilenceCounts) => {
    if (judge.answer === "away") throw new Error("away");
    sentCounts.push(counts);
    fell.push(counts.fell);
    return Promise.resolve(judge.answer);
  };
  const env = { OUTAGES: { getByName: () => ({ tell }) } } as unknown as ServersEnv;
  return { fell, sentCounts, outage: new IngestOutage(fleetSettings(), env, "fleet") };
}

test("an outage of ours ends after half an hour where the judge cannot be reached", async () => {
  const judge: { answer: Outage | "away" } = { answer: { since: begin } };
  const { outage } = fleetWith(judge);
  await outage.report([server], begin + 4 * minute);
  judge.answer = "away";
  await outage.report([server], begin + 29 * minute);
  expect(outage.last).toEqual({ since: begin });
  await outage.report([server], begin + 31 * minute);
  await outage.report([server], begin + 40 * minute);
  expect(outage.last).toEqual({ since: begin, endedAt: begin + 31 * minute });
});

test("a silence that is counted anew after an outage of ours is reported to the judge once", async () => {
  const { fell, outage } = fleetWith({ answer: { since: begin, endedAt: begin + minute } });
  const { silence: _, ...late } = server;
  await outage.report([late], begin);
  for (const seconds of [190, 210, 230]) await outage.report([late], begin + seconds * 1000);
  expect(fell).toEqual([0]);
  await outage.report([late], begin + 4 * minute);
  expect(fell).toEqual([0, 1]);
});

const hour = 60 * minute;

test("a server silent for a day, or paused, is not counted, but for those that our own outage hides", async () => {
  const judge: { answer: Outage | "away" } = { answer: { since: begin, endedAt: begin } };
  const { sentCounts, outage } = fleetWith(judge);
  const now = begin + 25 * hour;
  const reports = { ...server, id: "reports", reportAt: now };
  const { silence: _, ...well } = reports;
  const gone = { ...server, id: "gone", silence: { foundAt: begin } };
  const paused = { ...well, id: "paused" };
  const why = { why: "plan-limit", allowed: 1, since: begin } as const;
  const lately = { ...reports, reportAt: now - 4 * minute, silence: { foundAt: now - minute } };
  await outage.report([well, lately, gone, { ...paused, suspension: why }], now);
  expect(sentCounts).toEqual([{ servers: 2, silent: 1, fell: 0 }]);
  judge.answer = { since: begin };
  await outage.report([lately], now);
  await outage.report([lately, gone], now);
  expect(sentCounts.at(-1)).toEqual({ servers: 2, silent: 2, fell: 0 });
});

test("a server that falls silent again after the end of an outage of ours counts again, within five minutes too", async () => {
  const now = begin + 10 * minute;
  const { sentCounts, outage } = fleetWith({ answer: { since: begin, endedAt: now - 3 * minute } });
  const { silence: _, ...late } = { ...server, reportAt: now - 3 * minute + 1 };
  await outage.report([server], now - minute);
  const inOutage = { ...late, id: "in-outage", fellAt: now - 3 * minute };
  const afterIt = { ...late, id: "after-it", fellAt: now - 2 * minute };
  await outage.report([inOutage, afterIt], now + minute);
  expect(sentCounts.at(-1)).toEqual({ servers: 2, silent: 2, fell: 1 });
});

test("a server that falls silent twice within five minutes is reported as one", async () => {
  const { sentCounts, outage } = fleetWith({ answer: { since: begin, endedAt: begin } });
  const now = begin + 10 * minute;
  const { silence: _, ...late } = { ...server, reportAt: now - 3 * minute };
  await outage.report([{ ...late, fellAt: now - 4 * minute }], now);
  await outage.report([{ ...late, fellAt: now - 5 * minute }], now);
  expect(sentCounts).toEqual([
    { servers: 1, silent: 1, fell: 0 },
    { servers: 1, silent: 1, fell: 1 },
  ]);
});

test("a judge that never answers counts as one that cannot be reached, after five seconds", async () => {
  vi.useFakeTimers();
  try {
    const tell = () => new Promise<Outage>(() => {});
    const env = { OUTAGES: { getByName: () => ({ tell }) } } as unknown as ServersEnv;
    const reported = new IngestOutage(fleetSettings(), env, "fleet").report(
      [server],
      begin + 4 * minute,
    );
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await reported).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

const report: Report = {
  ...{ at: begin, seq: 1, boot: "boot", machine: "", instance: "", version: "", metrics: {} },
  rebootPending: false,
  ...{ stages: [], findings: [], services: [], certificates: [], addresses: [] },
};

test.for([
  ["does not answer, which is certain", { answers: false, isCertain: true }, "down"],
  ["does not answer, as nobody does", { answers: false, isCertain: false }, "none"],
  ["answers", { answers: true, isCertain: true }, "none"],
] as const)(
  "in an outage that the judge sees, a silent server whose domain %s: %#",
  ([, probe, cause]) => {
    const at = begin + 4 * minute;
    const silence = { foundAt: begin + 3 * minute, probe: { at, ...probe } };
    const record = { ...server, report, domain: "rtc.example.com", silence };
    for (const outage of [{ since: begin }, { since: begin, endedAt: at }]) {
      const { incident } = stepServer({ record }, at, { outage, newId: () => "incident" });
      expect(incident?.causes[0]?.code ?? "none").toBe(cause);
    }
  },
);

test("a server that was connected for the fall counts after three days", async () => {
  const { sentCounts, outage } = fleetWith({ answer: { since: begin, endedAt: begin } });
  const now = begin + 4 * minute;
  const age = (days: number) => ({ ...server, enrolledAt: now - days * 24 * hour });
  await outage.report([age(2.9), age(3)], now);
  expect(sentCounts).toEqual([{ servers: 1, silent: 1, fell: 0 }]);
});
