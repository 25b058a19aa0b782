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

test("alerts that reach nobody, somebody late or only one person are said, with what is missing (H5)", () => {
  const late = channel(undefined, "second");
  for (const [channels, words] of [
    [[], "Nobody is told when a server is down. Add a channel."],
    [[channel(over)], "Nobody is told when a server is down."],
    [[channel(failed)], "The last message arrived at no channel."],
    [[channel(failed), channel(over)], "The last message arrived at no channel."],
    [[late, late], "Nobody is told at once"],
    [[channel()], "Only one channel is told."],
    [[channel()], "Add a second person."],
    [[channel(), channel(over)], "Only one channel is told."],
    [[channel(), channel(failed)], "Only one channel works."],
  ] as const) {
    expect(channelWarning(channels)).toContain(words);
  }
  expect(channelWarning([channel(), channel(undefined, "second")])).toBeUndefined();
});
