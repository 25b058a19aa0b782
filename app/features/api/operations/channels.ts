import * as z from "zod/mini";
import {
  type ChannelView,
  channelKinds,
  channelTitle,
} from "~/features/servers/notifications/channel";
import { described, iso, isoOrNull, named, type Outcome, operation, time, uuid } from "./operation";

const kinds = Object.keys(channelKinds) as (keyof typeof channelKinds)[];

const channel = named(
  "Channel",
  "Where notifications of incidents go. It says no secret, and of a mail's address only a part.",
  z.object({
    id: uuid,
    kind: z.enum(kinds),
    title: z.string(),
    turn: described(
      "`first` is told at once, `second` where nobody acknowledged for ten minutes.",
      z.enum(["first", "second"]),
    ),
    added_at: time,
    tested_at: z.nullable(time),
    failed: described(
      "The last message that was given up, until one arrives again.",
      z.nullable(z.object({ at: time, reason: z.string() })),
    ),
  }),
);

function channelView(view: ChannelView) {
  const { id, kind, turn, madeAt, testedAt, failed } = view;
  return {
    ...{ id, kind, title: channelTitle(view, false), turn, added_at: iso(madeAt) },
    tested_at: isoOrNull(testedAt),
    failed: failed ? { at: iso(failed.at), reason: failed.reason } : null,
  };
}

export const channelOperations = [
  operation({
    ...{ method: "GET", path: "/channels", id: "listChannels", tag: "Channels" },
    summary: "The channels of the workspace's alerts",
    ...{ scope: "alerts:read", params: {}, query: {}, status: 200, problems: [] },
    answer: named("ChannelList", "All channels.", z.object({ items: z.array(channel) })),
    async run({ call, sources: { fleets } }): Promise<Outcome> {
      const { channels = [] } = await fleets.overview(call.token.workspace);
      return { value: { items: channels.map(channelView) } };
    },
  }),
];
