import { expect, test } from "vitest";
import { listedIncidents } from "~/features/servers/incidents/incident-table.server.ts";
import { Monitor } from "~/features/servers/incidents/monitor.server.ts";
import type { Notification } from "~/features/servers/incidents/step.ts";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { IngestOutage } from "~/features/servers/state/ingest-outage.server.ts";
import { addRecord, recordIn } from "~/features/servers/state/server-table.server.ts";
import { prepareTables } from "~/features/servers/storage/tables.server.ts";
import { begin } from "../../../support/servers/incident-step.ts";
import { reportText } from "../../../support/servers/report-lines.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const broken = ["finding\tturn.udp.silent\tcritical\t\t\t"];

/** Servers of one deployment in a fleet's tables, and the monitor that takes their reports. */
function deploymentOf(names: readonly string[]) {
  const clock = { now: begin };
  const sql = sqliteStorage();
  prepareTables(sql);
  const sent: [incident: string, event: Notification["event"]][] = [];
  const env = {} as ServersEnv;
  const monitor = new Monitor(sql, env, () => clock.now, {
    outage: new IngestOutage(sql, env, "fleet"),
    thresholds: () => [],
    enqueue: (incident, { event }) => sent.push([incident.server, event]),
    notifyPages: () => undefined,
  });
  for (const [at, name] of names.entries()) {
    const record = {
      ...{ id: name, deployment: "deployment", name, enrolledAt: begin, keyHash: name },
      ...{ machine: "a".repeat(64), instance: `i-${name}`, refused: [], boots: [], changes: [] },
      bucket: { left: 10, at: begin },
    };
    addRecord(sql, record, { number: at + 1, tokenHash: "" });
  }
  let seq = 0;
  const report = (name: string, role: string | undefined, lines: readonly string[] = []) => {
    seq += 1;
    clock.now += 30_000;
    const text = reportText({ seq, instance: `i-${name}`, role }, [`doctor\t${seq}`, ...lines]);
    const read = parseReport(text);
    const record = recordIn(sql, name);
    if (!read.ok || !record) throw new Error("The report cannot be taken");
    monitor.report(record, read.report);
  };
  const retire = (name: string) => {
    const record = recordIn(sql, name);
    if (record) monitor.check({ ...record, retiredAt: clock.now });
  };
  const open = () =>
    [...monitor.living.values()]
      .filter(({ closedAt }) => closedAt === undefined)
      .map(({ server, causes }) => [
        server,
        causes.filter((cause) => !cause.endedAt).map((cause) => cause.machine?.name),
      ]);
  return { sql, clock, monitor, sent, report, retire, open };
}

test("a server's incident goes on in its cluster, and back, and is sent once", () => {
  const { report, open, sent, sql } = deploymentOf(["one", "two"]);
  report("one", undefined, broken);
  expect(open()).toEqual([["one", [undefined]]]);
  report("one", "media", broken);
  report("two", "edge");
  expect(open()).toEqual([["deployment", ["one"]]]);
  report("two", undefined);
  report("one", undefined, broken);
  expect(open()).toEqual([["one", [undefined]]]);
  const first = sent.filter(([, event]) => event === "opened");
  expect(first).toHaveLength(1);
  expect(listedIncidents(sql, "one")).toHaveLength(1);
});

test("where the cluster has an incident, that of a server which comes in ends", () => {
  const { report, open, sent } = deploymentOf(["one", "two"]);
  report("two", "media", broken);
  report("one", undefined, broken);
  report("one", "media", broken);
  expect(open()).toEqual([["deployment", ["two", "one"]]]);
  expect(sent).toContainEqual(["one", "closed"]);
});

test("a list and a page of a server show what is wrong with it alone", () => {
  const { report, monitor, sql } = deploymentOf(["edge", "one", "two"]);
  for (const name of ["edge", "one", "two"]) report(name, name === "edge" ? "edge" : "media");
  report("two", "media", broken);
  const summaryOf = (name: string) => {
    const record = recordIn(sql, name);
    return record && monitor.summary(record);
  };
  expect(summaryOf("one")).toBeUndefined();
  expect(summaryOf("two")).toMatchObject({
    severity: "page",
    causes: [{ machine: { id: "two" } }],
  });
  expect(monitor.summaryOfCluster("deployment")?.causes).toHaveLength(1);
  const [one, two] = [recordIn(sql, "one"), recordIn(sql, "two")];
  expect(one && monitor.list(one)).toEqual([]);
  expect(two && monitor.list(two)).toHaveLength(1);
});

test("what was wrong with a machine that is disconnected ends with it, and with the last machine all", () => {
  const { report, retire, open, monitor, clock } = deploymentOf(["one", "two"]);
  report("one", "media", broken);
  report("two", "media", broken);
  retire("one");
  expect(open()).toEqual([["deployment", ["two"]]]);
  retire("two");
  expect(open()).toEqual([]);
  const closed = [...monitor.living.values()];
  expect(closed).toMatchObject([{ closedAs: "disconnected", closedAt: clock.now }]);
});

test("a report reads the others of its cluster, and that of a server by itself none", () => {
  const { report, sql } = deploymentOf(["edge", "one", "alone"]);
  report("edge", "edge");
  report("one", "media");
  report("alone", undefined);
  const reads: string[] = [];
  const { exec } = sql;
  sql.exec = ((query: string, ...values: unknown[]) => {
    reads.push(query);
    return exec.call(sql, query, ...(values as never[]));
  }) as typeof exec;
  report("alone", undefined);
  const byItself = reads.filter((query) => query.startsWith("select")).length;
  reads.length = 0;
  report("one", "media");
  expect(reads.filter((query) => query.startsWith("select")).length).toBe(byItself + 1);
  expect(reads.filter((query) => query.startsWith("update"))).toEqual([
    expect.stringContaining("servers"),
  ]);
});
