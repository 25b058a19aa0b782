import { expect, test } from "vitest";
import {
  type ChannelView,
  channelWarning,
} from "../../../../app/features/servers/notifications/channel.ts";

type Failed = ChannelView["failed"];

const channel = (failed?: Failed, turn: ChannelView["turn"] = "first"): ChannelView => ({
  ...{ kind: "pagerduty", ending: "d1a6", id: crypto.randomUUID(), madeAt: 0, testedAt: 0 },
  ...{ failed, turn },
});
const failed = { at: 0, reason: "It answered 502." };
const over = { ...failed, isOver: true as const };

test("alerts that reach nobody are distinguished from those that reach somebody late or by one way", () => {
  for (const none of [[], [channel(over)], [channel(failed)], [channel(failed), channel(over)]]) {
    expect(channelWarning(none)).toMatchObject({ reachesNobody: true });
  }
  const late = [channel(undefined, "second"), channel(undefined, "second")];
  for (const some of [
    late,
    [channel()],
    [channel(), channel(failed)],
    [channel(), channel(over)],
  ]) {
    expect(channelWarning(some)).toMatchObject({ reachesNobody: false });
  }
  expect(channelWarning([channel(), channel(failed)])?.words).toContain("Only one channel works.");
  expect(channelWarning([channel(), channel(undefined, "second")])).toBeUndefined();
});
