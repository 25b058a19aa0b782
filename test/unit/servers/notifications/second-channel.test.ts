import { expect, test } from "vitest";
import { FleetChannels } from "~/features/servers/notifications/channels.server.ts";
import type { Member } from "~/features/servers/state/workspace-facts.server.ts";
import { prepareTables } from "~/features/servers/storage/tables.server.ts";
import { begin } from "../../../support/servers/incident-step.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const member = (person: string, more: Partial<Member> = {}): Member => ({
  ...{ person, address: `${person}@example.com`, connects: true },
  ...more,
});
const ada = { kind: "mail", person: "ada", address: "ada@example.com" } as const;
const viewer = member("vic", { connects: false });
const unconfirmed = member("uma", { address: null });

function channels() {
  const sql = sqliteStorage();
  prepareTables(sql);
  return new FleetChannels(
    sql,
    {} as ServersEnv,
    () => begin,
    () => true,
  );
}
const addresses = (of: FleetChannels) =>
  of
    .views()
    ?.map((view) => [view.kind === "mail" ? view.address : view.kind, view.turn])
    .toSorted();

test("who connects the first server is told at once, and the first other who may is told next (H5)", () => {
  const of = channels();
  of.addFirst(ada);
  expect(of.addSecond([member("ada"), viewer, unconfirmed])).toBeUndefined();
  expect(of.addSecond([member("ada"), viewer, member("ben"), member("cat")])).toBeTypeOf("string");
  expect(addresses(of)).toEqual([
    ["ada@example.com", "first"],
    ["ben@example.com", "second"],
  ]);
  for (const { id, turn } of of.views() ?? []) if (turn === "second") of.remove(id);
  expect(of.addSecond([member("ada"), member("ben")])).toBeUndefined();
});

test("nobody is added to channels that people chose, and none to a workspace of before", () => {
  const of = channels();
  of.addFirst(ada);
  of.add({ kind: "pagerduty", routingKey: "e93facc04764012d7bfb002500d5d1a6" }, "first");
  expect(of.addSecond([member("ada"), member("ben")])).toBeUndefined();
  const former = channels();
  former.add(ada, "first");
  expect(former.addSecond([member("ada"), member("ben")])).toBeUndefined();
});
