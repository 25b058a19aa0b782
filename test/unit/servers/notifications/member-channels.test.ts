import { expect, test } from "vitest";
import type { Channel } from "~/features/servers/notifications/channel.ts";
import {
  channelsIn,
  reconciledChannels,
  saveChannel,
} from "~/features/servers/notifications/channels.server.ts";
import { prepareTables } from "~/features/servers/storage/tables.server.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

const hour = 3_600_000;
const mail = (id: string, person: string, more: Partial<Channel> = {}) =>
  ({
    ...{ id, kind: "mail", person, address: `${person}@example.com`, madeAt: 0, turn: "first" },
    ...more,
  }) as Channel;
const ada = { person: "ada", address: "ada@example.com" };

test("mails to members stay as they are, and those to former members go", () => {
  const pager: Channel = {
    ...{ id: "3", kind: "pagerduty", routingKey: "a".repeat(32), madeAt: 0, turn: "second" },
  };
  const channels = [mail("1", "ada"), mail("2", "ben"), pager];
  expect(reconciledChannels(channels, [ada], hour)).toEqual({ removed: ["2"], changed: [] });
});

test("what a former member added goes with them, and what nobody is known to have added stays", () => {
  const webhook = (id: string, addedBy?: string, madeAt = 0) =>
    ({
      ...{ id, kind: "webhook", url: `https://${id}.example.com/`, secret: "", turn: "first" },
      ...{ addedBy, madeAt },
    }) as Channel;
  const channels = [
    ...[webhook("1", "ada"), webhook("2", "ben"), webhook("3"), webhook("4", "ben", hour)],
    mail("5", "ada", { addedBy: "ben" }),
  ];
  expect(reconciledChannels(channels, [ada], hour)).toEqual({ removed: ["2"], changed: [] });
});

test("a channel at a service is not in the table that the Worker of the version before reads", () => {
  const sql = sqliteStorage();
  prepareTables(sql);
  saveChannel(sql, {
    ...{ id: "1", kind: "slack", fields: { url: "https://hooks.slack.com/x" }, place: "#on-call" },
    ...{ madeAt: 0, turn: "first" },
  });
  saveChannel(sql, mail("2", "ada"));
  expect(sql.exec("select id from channels").toArray()).toEqual([{ id: "2" }]);
  expect(channelsIn(sql).map(({ id }) => id)).toEqual(["1", "2"]);
});

test("a changed address is corrected, its failures are forgotten, and nobody is notified twice", () => {
  const changed = { ...ada, address: "new@example.com" };
  const failed = { at: 1, reason: "Refused" };
  expect(reconciledChannels([mail("1", "ada", { failed })], [changed], hour)).toEqual({
    ...{ removed: [], changed: [mail("1", "ada", { address: "new@example.com" })] },
  });
  const both = [mail("1", "ada"), mail("2", "ada", { address: "new@example.com" })];
  expect(reconciledChannels(both, [changed], hour)).toEqual({ removed: ["1"], changed: [] });
});

test("a member without a confirmed address just now, and one just added, keep their channel", () => {
  expect(reconciledChannels([mail("1", "ada")], [{ ...ada, address: null }], hour).removed).toEqual(
    [],
  );
  expect(reconciledChannels([mail("1", "ben", { madeAt: hour })], [ada], hour).removed).toEqual([]);
});
