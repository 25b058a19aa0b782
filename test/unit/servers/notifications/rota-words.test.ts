import { expect, test } from "vitest";
import { type ChannelView, channelWarning } from "~/features/servers/notifications/channel.ts";
import { rotaView } from "~/features/servers/notifications/times/rota-view.server.ts";

const mail = (person: string): ChannelView => ({
  ...{ kind: "mail", person, address: `${person}@example.com`, id: person, madeAt: 0 },
  turn: "second",
});
const phone: ChannelView = {
  ...{ kind: "push", place: "Chrome on Android", id: "phone", madeAt: 0, turn: "first" },
  addedBy: "cat",
};
const rota = {
  ...{ people: ["ada", "ben", "cat"], from: "2026-03-16", hour: 9 },
  absences: [
    { person: "cat", from: "2026-03-30", until: "2026-04-01" },
    { person: "ada", from: "2026-02-01", until: "2026-03-23" },
  ],
};
const times = { zone: "Europe/Berlin", rota };
const now = Date.parse("2026-03-24T12:00:00Z");

test("the page says who is first until when, who follows, and who is away", () => {
  const view = rotaView(times, [mail("ada"), mail("ben"), phone], now, false);
  expect(view.rota).toMatchObject({
    ...{ first: "be…@example.com", until: "Mon, Mar 30, 09:00", weekday: 1, hour: 9 },
    later: [
      { from: "Mon, Mar 30, 09:00", who: "ad…@example.com" },
      { from: "Mon, Apr 6, 09:00", who: "ad…@example.com" },
    ],
    absences: [{ who: "Push to Chrome on Android", days: "Mon, Mar 30 to Wed, Apr 1" }],
  });
  expect(view.rota?.order.map(({ id }) => id)).toEqual(["ben", "cat", "ada"]);
  // Somebody whose channels are gone is no choice of the form, and makes nobody else fall out of it.
  expect(rotaView(times, [mail("ben"), phone], now, true).rota?.order.map(({ id }) => id)).toEqual([
    ...["ben", "cat"],
  ]);
  expect(rotaView(times, [mail("ben")], now, true).rota).toMatchObject({
    ...{
      first: "ben@example.com",
      later: [{ who: "ben@example.com" }, { who: "ben@example.com" }],
    },
  });
  expect(rotaView(times, [], now, true).rota?.first).toBeUndefined();
});

test("what is wrong with all channels is judged by the turns of the rota", () => {
  const channels = [mail("ada"), mail("ben")];
  expect(channelWarning(channels)).toContain("Nobody is told at once");
  const [one, other] = channels as [ChannelView, ChannelView];
  expect(channelWarning([{ ...one, turnNow: "first" }, other])).toBeUndefined();
});
