import { expect, test } from "vitest";
import type { Channel } from "~/features/servers/notifications/channel.ts";
import { reconciledChannels } from "~/features/servers/notifications/channels.server.ts";

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
