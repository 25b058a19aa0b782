import * as z from "zod/mini";
import address from "~/content/alert-channels.json?url&no-inline";
import type { RequestScope } from "~/features/auth/session/session.server";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import { roleMay } from "~/features/workspaces/roles";
import { pageTexts } from "~/http/assets.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { orUndefined } from "../fleets.server";
import { hoursWords } from "../hours";
import { isoOf } from "../iso-of";
import { type ChannelView, channelsOfMember, channelTitle, channelWarning } from "./channel";

const formWords = pageTexts<typeof import("~/content/alert-channels.json")>(address, "Alerts");

/** What was done, as a query says it after a form. */
const done = {
  added: "The channel was added. Send a test, to see it arrive.",
  first: "Saved: it is told at once.",
  second: "Saved: it is told after ten minutes.",
  tested: "The test was sent. If it does not arrive, look at the channel's own settings.",
  removed: "The channel was removed.",
  rota: "The rota is saved.",
  "rota-end": "There is no rota any more: each channel is told as it says itself.",
  absence: "Saved.",
  "absence-end": "Saved.",
  zone: "The time zone is saved.",
  quiet: "The quiet hours are saved.",
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
  const { FLEETS } = scope.context.bindings;
  const [answer, times, members, pushKey, forms, deployments] = await Promise.all([
    orUndefined(FLEETS.channels(workspace.id).then((channels) => ({ channels }))),
    orUndefined(FLEETS.alertTimes(workspace.id, mayChange)),
    mayChange ? readMembers(scope, person, workspace) : [],
    mayChange ? orUndefined(FLEETS.pushKey()) : undefined,
    mayChange ? formWords(scope.context) : undefined,
    readDeployments(scope, workspace),
  ]);
  const channels = answer?.channels;
  const doneCode = query.get("done");
  return {
    isRead: answer !== undefined,
    /** Undefined before the workspace connected a server. */
    channels: channels?.map((channel) => ({
      ...channelLine(channel, person, mayChange, deployments),
      answers: mayChange ? answersOf(channel, scope.context.configuration.SERVERS_URL) : undefined,
    })),
    /** Undefined too where the servers Worker of before answers. */
    times: times && { zone: times.zone, candidates: times.candidates, rota: times.rota },
    warning: channels && channelWarning(channels),
    /** Members whom no channel reaches by mail. */
    members: members?.filter(
      ({ id }) => !channels?.some((each) => each.kind === "mail" && each.person === id),
    ),
    me: person,
    /** What a browser subscribes with; undefined where push is not set up. */
    pushKey,
    /** The forms that add a channel, for those who may. */
    forms,
    deployments,
    done: doneCode && Object.hasOwn(done, doneCode) ? done[doneCode as DoneAlert] : undefined,
  };
}

/** Where PagerDuty's webhooks go, for a channel to it. */
function answersOf(channel: ChannelView, url: string | undefined) {
  if (channel.kind !== "pagerduty" || !channel.answerPath || !url) return;
  const { answerPath, answers, heardAt } = channel;
  return { address: new URL(answerPath, url).href, isSet: answers, heardAt: isoOf(heardAt) };
}

type Deployments = { id: string; name: string }[];

function channelLine(
  channel: ChannelView,
  person: string,
  mayChange: boolean,
  deployments: Deployments,
) {
  const { id, turn, turnNow, addedBy, quiet, testedAt, failed } = channel;
  const isMine =
    (channel.kind === "mail" && channel.person === person) ||
    (channel.kind === "push" && addedBy === person);
  return {
    ...{ id, turn: turnNow ?? turn, isByRota: turnNow !== undefined, isMine },
    quiet,
    title: channelTitle(channel, mayChange || isMine),
    limits: limitWords(channel, deployments),
    testedAt: isoOf(testedAt),
    failed: failed && { ...failed, at: isoOf(failed.at) },
  };
}

/** What a channel is notified of, where that is not everything. */
function limitWords({ limits, quiet }: ChannelView, deployments: Deployments): string {
  const names = limits?.deployments?.map(
    (id) => deployments.find((each) => each.id === id)?.name ?? "a deployment that is not shown",
  );
  return [
    ...(limits?.onlyPages ? ["Only what wakes somebody."] : []),
    ...(quiet ? [`Quiet ${hoursWords(quiet)}, but for what wakes somebody.`] : []),
    ...(names ? [`Only servers of ${names.join(", ")}.`] : []),
  ].join(" ");
}

const maxDeployments = 200;

async function readDeployments(
  { session }: RequestScope,
  workspace: Workspace,
): Promise<Deployments> {
  const { data, error } = await session.supabase
    .from("deployments")
    .select("id, name")
    .eq("workspace_id", workspace.id)
    .order("name")
    .limit(maxDeployments);
  if (error) log.error("The names of deployments were not read", describeError(error));
  return data ?? [];
}

/** The channels that end with each member, by the id of their account; undefined where they cannot be read. */
export async function channelsByMember(
  { bindings }: Pick<RequestScope["context"], "bindings">,
  workspace: Pick<Workspace, "id">,
  members: readonly { id: string }[],
): Promise<Record<string, string[]> | undefined> {
  const reading = bindings.FLEETS.channels(workspace.id);
  const channels = await orUndefined(reading.then((read) => read ?? []));
  if (!channels) return;
  const titles = members.map(({ id }) => [
    id,
    channelsOfMember(channels, id).map((each) => channelTitle(each, true)),
  ]);
  return Object.fromEntries(titles);
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
