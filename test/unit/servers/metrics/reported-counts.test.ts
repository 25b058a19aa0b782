import { expect, test } from "vitest";
import { takeReport } from "~/features/servers/ingest/take-report.ts";
import { withoutRestarts } from "~/features/servers/state/restart.ts";
import { machine } from "../../../support/servers/report-lines.ts";

import {
  after,
  begin,
  minute,
  reportWith,
} from "../../../support/servers/reports/taken-reports.ts";

/** What a machine counts, of a process of LiveKit that began then. */
const counts = ({
  began = 1_795_313_000,
  busy,
  loss,
  seen,
  failed,
}: Record<"busy" | "loss" | "seen" | "failed", number> & { began?: number }) => [
  ...[`cpu\t${busy}\t${busy * 4}`, `node\tND_abc\t${began}`, "metric\tegress\t2"],
  ...[`metric\tloss-sum\t${loss}`, `metric\tloss-count\t${seen}`],
  ...[`metric\tjitter-sum\t${seen * 5_000}`, `metric\tjitter-count\t${seen}`],
  `metric\tjoins-failed\t${failed}`,
];

test("processor time, loss, jitter and failed joins are what was counted in between", () => {
  const record = after([0, reportWith({}, counts({ busy: 100, loss: 3, seen: 10, failed: 4 }))]);
  const next = counts({ busy: 350, loss: 4.5, seen: 40, failed: 10 });
  expect(takeReport(record, reportWith({ seq: 2 }, next), begin + 2 * minute)).toMatchObject({
    sample: { cpu: 25, loss: 0.05, jitter: 5, failedJoins: 3, recordings: 2 },
  });
});

test("nothing is said of what was counted when LiveKit started anew, or when nobody was in a call", () => {
  const first = counts({ busy: 100, loss: 3, seen: 10, failed: 4 });
  const record = after([0, reportWith({}, first)]);
  const anew = counts({ busy: 200, loss: 9, seen: 90, failed: 9, began: 1_795_313_060 });
  const taken = takeReport(record, reportWith({ seq: 2 }, anew), begin + minute);
  expect(taken).toMatchObject({ sample: { cpu: 25, recordings: 2 } });
  const { sample } = taken as { sample: object };
  expect(Object.keys(sample)).not.toEqual(expect.arrayContaining(["loss"]));
  expect(sample).not.toHaveProperty("failedJoins");
  const quiet = counts({ busy: 200, loss: 3, seen: 10, failed: 4 });
  const still = takeReport(record, reportWith({ seq: 2 }, quiet), begin + minute);
  expect(still).toMatchObject({ sample: { failedJoins: 0 } });
  expect((still as { sample: object }).sample).not.toHaveProperty("loss");
  expect((still as { sample: object }).sample).not.toHaveProperty("jitter");
});

test("traffic is what was counted in between, and nothing after a restart", () => {
  const counted = (seq: number, bytes: number, boot: string = machine.boot) =>
    reportWith({ seq, boot }, [`network\t${bytes}\t${bytes * 2}`]);
  const record = after([0, counted(1, 6_000)]);
  const lostOne = takeReport(record, counted(3, 18_000), begin + 2 * minute);
  expect(lostOne).toMatchObject({ sample: { in: 100, out: 200 } });
  const rebooted = takeReport(record, counted(1, 90_000, machine.otherBoot), begin + minute);
  expect("sample" in rebooted && rebooted.sample).not.toHaveProperty("in");
});

test("restarts of LiveKit stay with the server until its history has them, however many reports come meanwhile", () => {
  const of = (seq: number, node: string, startedAt: number) =>
    reportWith({ seq }, [`node\t${node}\t${startedAt}`]);
  const record = after(
    [0, of(1, "ND_one", 1_000)],
    [1, of(2, "ND_two", 2_000)],
    [2, of(3, "ND_two", 2_000)],
    [3, reportWith({ seq: 4 })],
    [4, of(5, "ND_three", 3_000)],
  );
  const heardAt = reportWith().at;
  expect(record.restarts).toEqual([
    { at: heardAt, startedAt: 2_000_000 },
    { at: heardAt, startedAt: 3_000_000 },
  ]);
  expect(withoutRestarts(record, 2_000_000).restarts).toEqual([record.restarts?.[1]]);
  expect(withoutRestarts(record, 3_000_000)).not.toHaveProperty("restarts");
});
