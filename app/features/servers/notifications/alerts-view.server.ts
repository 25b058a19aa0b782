import * as z from "zod/mini";
import type { RequestScope } from "~/features/auth/session/session.server";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import { roleMay } from "~/features/workspaces/roles";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { orUndefined } from "../fleets.server";
import { isoOf } from "../iso-of";
import { type ChannelView, channelTitle, channelWarning } from "./channel";

/** What was done, as a query says it after a form. */
const done = {
  added: "The channel was added. Send a test, to see it arrive.",
  first: "Saved: it is told at once.",
  second: "Saved: it is told after ten minutes.",
  tested: "The test was sent. If it does not arrive, look at the channel's own settings.",
  removed: "The channel was removed.",
  answers: "Saved. What is acknowledged at PagerDuty is acknowledged here too.",
} as const;
export type DoneAlert = keyof typeof done;

/** A channel as the page lists it; times in ISO 8601. */
export type ChannelLine = ReturnType<typeof channelLine> & {
  answers: ReturnType<typeof answersOf>;
};

/** Everything that the page of alerts shows. What cannot be read is undefined. */
export type AlertsView = Awaited<ReturnType<typeof alertsView>>;

export async function alertsView(
  scope: RequestScope,
  person: string,
  workspace: Workspace,
  query: URLSearchParams,
) {
  const mayChange = roleMay(workspace.role, "alerts");
  const [answer, members] = await Promise.all([
    orUndefined(
      scope.context.bindings.FLEETS.channels(workspace.id).then((channels) => ({ channels })),
    ),
    mayChange ? readMembers(scope, person, workspace) : [],
  ]);
  const channels = answer?.channels;
  const doneCode = query.get("done");
  return {
    isRead: answer !== undefined,
    /** Undefined before the workspace connected a server. */
    channels: channels?.map((channel) => ({
      ...channelLine(channel, person, mayChange),
      answers: mayChange ? answersOf(channel, scope.context.configuration.SERVERS_URL) : undefined,
    })),
    warning: channels && channelWarning(channels),
    /** Members whom no channel reaches by mail. */
    members: members?.filter(
      ({ id }) => !channels?.some((each) => each.kind === "mail" && each.person === id),
    ),
    me: person,
    done: doneCode && Object.hasOwn(done, doneCode) ? done[doneCode as DoneAlert] : undefined,
  };
}

/** Where PagerDuty's webhooks go, for a channel to it. */
function answersOf(channel: ChannelView, url: string | undefined) {
  if (channel.kind !== "pagerduty" || !channel.answerPath || !url) return;
  const { answerPath, answers, heardAt } = channel;
  return { address: new URL(answerPath, url).href, isSet: answers, heardAt: isoOf(heardAt) };
}

function channelLine(channel: ChannelView, person: string, mayChange: boolean) {
  const { id, turn, testedAt, failed } = channel;
  const isMine = channel.kind === "mail" && channel.person === person;
  return {
    ...{ id, turn, isMine },
    title: channelTitle(channel, mayChange || isMine),
    testedAt: isoOf(testedAt),
    failed: failed && { ...failed, at: isoOf(failed.at) },
  };
}

const memberRows = z.array(
  z.object({ user_id: z.string(), address: z.string(), joined_at: z.string() }),
);
const maxPages = 4;
const pageSize = 50;

/** The first 200 members that have a mail address. */
async function readMembers({ context }: RequestScope, actor: string, workspace: Workspace) {
  const members: { id: string; address: string }[] = [];
  let last: { joined_at: string; user_id: string } | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { data, error } = await serviceClient(context.configuration).rpc("members_of", {
      actor,
      workspace: workspace.id,
      ...(last ? { after_joined: last.joined_at, after_person: last.user_id } : {}),
    });
    if (error) {
      log.error("Members were not read", describeError(error));
      return;
    }
    const rows = memberRows.parse(data);
    members.push(...rows.map(({ user_id, address }) => ({ id: user_id, address })));
    last = rows.at(-1);
    if (rows.length < pageSize) break;
  }
  return members.filter(({ address }) => address.includes("@"));
}
