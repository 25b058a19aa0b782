import type { RequestScope } from "~/features/auth/session/session.server";
import { orUndefined } from "~/features/servers/fleets.server";
import { fill } from "~/features/workspaces/fill";
import {
  type WorkspaceSummary,
  workspaceSummary,
} from "~/features/workspaces/my-workspaces.server";
import { roleMay } from "~/features/workspaces/roles";
import type { OpenWorkspace } from "~/features/workspaces/workspace.server";
import { type WorkspaceWords, workspaceWords } from "~/features/workspaces/workspace-words.server";
import { shortMomentOf } from "~/ui/dates";
import { eventGroupNames, type WebhookView } from "../webhook";

type Labels = WorkspaceWords["webhooks"];

/** A webhook as the page lists it, with the words about its state; times in ISO 8601. */
export type ListedWebhook = Pick<WebhookView, "id" | "host" | "groups" | "waiting"> & {
  gets: string;
  state: "on" | "failing" | "off";
  says: string | undefined;
  formerUntil: string | undefined;
  deliveries: ListedDelivery[];
};

export type ListedDelivery = {
  id: string;
  type: string;
  at: string;
  state: WebhookView["deliveries"][number]["state"];
  tries: string;
  reason: string | undefined;
};

export type WebhooksView = {
  words: WorkspaceWords;
  workspace: WorkspaceSummary;
  /** Undefined while they cannot be read, and for whoever may not read them. */
  webhooks: ListedWebhook[] | undefined;
  isUnreadable: boolean;
};

/** What the page of a workspace's webhooks shows. */
export async function webhooksView(
  { context }: Pick<RequestScope, "context">,
  workspace: OpenWorkspace,
): Promise<WebhooksView> {
  const mayRead = roleMay(workspace.role, "settings");
  const [words, views] = await Promise.all([
    workspaceWords(context),
    mayRead ? orUndefined(context.bindings.FLEETS.webhooks(workspace.id)) : undefined,
  ]);
  return {
    ...{ words, workspace: workspaceSummary(workspace) },
    webhooks: views?.map((view) => listedWebhook(view, words.webhooks)),
    isUnreadable: mayRead && !views,
  };
}

const iso = (at: number): string => new Date(at).toISOString();

/** How many events of a webhook the page shows. */
const shown = 20;

function listedWebhook(view: WebhookView, labels: Labels): ListedWebhook {
  const { id, host, groups, waiting, formerUntil } = view;
  const isAll = groups.length === eventGroupNames.length;
  return {
    ...{ id, host, groups, waiting, ...stateOf(view, labels) },
    gets: isAll ? labels.all : groups.map((each) => labels.groups[each]).join("; "),
    formerUntil: formerUntil === undefined ? undefined : iso(formerUntil),
    deliveries: view.deliveries.slice(0, shown).map(({ at, tries, ...delivery }) => ({
      ...{ id: delivery.id, type: delivery.type, at: iso(at), state: delivery.state },
      tries: tries === 1 ? labels.oneTry : fill(labels.tries, { count: tries }),
      reason: delivery.reason,
    })),
  };
}

function stateOf(
  { off, failing }: WebhookView,
  labels: Labels,
): Pick<ListedWebhook, "state" | "says"> {
  if (off) {
    const said = failing && off.why !== "person" ? ` ${failing.reason}` : "";
    return { state: "off", says: fill(labels.offSays[off.why], { at: momentOf(off.at) }) + said };
  }
  if (!failing) return { state: "on", says: undefined };
  const { since, reason } = failing;
  return {
    state: "failing",
    says: fill(labels.failingSays, { since: momentOf(since), reason }),
  };
}

const momentOf = (at: number): string => shortMomentOf(iso(at));
