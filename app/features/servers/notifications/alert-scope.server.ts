import { type ChangeRefusal, type ChangeScope, notReached, refused } from "../audit-change.server";
import { orUndefined } from "../fleets.server";
import { type ChannelView, channelTitle } from "./channel";

/** What the forms of the page of alerts have in common. */
export type AlertScope = ChangeScope & { form: URLSearchParams };

export const goneChannel = refused(404, "This channel is not there any more.");

/** There is nobody to notify, and nothing is noted of what somebody tried. */
export const notConnected = refused(
  409,
  "Connect a server first: before that there is nothing to tell.",
);

/** The channel that a form is about. Somebody else's is not there. */
export async function channelIn(scope: AlertScope): Promise<ChannelView | ChangeRefusal> {
  const answer = await readChannels(scope);
  if (!answer) return notReached("alerts");
  return answer.channels?.find((each) => each.id === scope.form.get("channel")) ?? goneChannel;
}

/** Undefined where they cannot be read; without `channels` before the workspace connected a server. */
export function readChannels({ context, workspace }: AlertScope) {
  const reading = context.bindings.FLEETS.channels(workspace.id);
  return orUndefined(reading.then((channels) => ({ channels })));
}

export const targetOf = (channel: ChannelView) => ({
  target: channelTitle(channel, false),
  targetId: channel.id,
});
