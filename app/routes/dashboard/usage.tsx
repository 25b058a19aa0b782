import { data } from "react-router";
import { ConsolePage } from "~/features/agents/own-page";
import { userPageForms } from "~/features/agents/own-page.server";
import {
  requestedRange,
  usageUnread,
  usageUnreadable,
} from "~/features/agents/usage/requested-range.server";
import { readStatistics } from "~/features/agents/usage/statistics.server";
import { StatisticsBand } from "~/features/agents/usage/statistics-band";
import { guarded, userContext } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { orUndefined } from "~/features/servers/fleets.server";
import { AgentUsageBand } from "~/features/servers/session-pages/agent-usage-band";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { isFailure, useNewest } from "~/http/read";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { dayMs } from "~/ui/dates";
import type { Route } from "./+types/usage";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Usage") },
  { name: "robots", content: "noindex" },
];

export const handle = { right: "describe", isRead: true } satisfies ConsoleHandle;

export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const text = (name: string) => query.get(name) ?? "";
  const chosen = { from: text("from"), to: text("to"), identity: text("identity") };
  const range = await requestedRange(context.get(appContext), request, context.get(userContext).id);
  const workspace = context.get(workspaceContext);
  const read = isFailure(range)
    ? range
    : workspace
      ? await readStatistics(context.get(sessionContext).supabase, workspace, range)
      : usageUnread;
  if (!("error" in read)) {
    // Sessions of agents name no identity of the customer's.
    const ofServers =
      workspace && !read.identity
        ? await orUndefined(
            context.get(appContext).bindings.FLEETS.agentUsage(workspace.id, daysOf(read)),
          )
        : [];
    return data({ statistics: read, ofServers, failure: undefined, chosen: read });
  }
  const failure = isFailure(range) ? range : workspace ? usageUnreadable(read.error) : usageUnread;
  const nothing = { statistics: undefined, ofServers: [] };
  return data({ ...nothing, failure, chosen }, { status: failure.status });
}

const daysOf = ({ from, to }: { from: string; to: string }) => ({
  from: Date.parse(from) / dayMs,
  to: Date.parse(to) / dayMs,
});

export const action = guarded({
  ...userPageForms,
});

export default function Usage({ loaderData, actionData }: Route.ComponentProps) {
  const { failure, chosen } = loaderData;
  return (
    <ConsolePage title="Usage" posted={actionData}>
      <div className="h-8" />
      <StatisticsBand
        statistics={useNewest(loaderData.statistics)}
        failure={failure}
        chosen={chosen}
      />
      <AgentUsageBand usage={loaderData.ofServers} from={chosen.from} to={chosen.to} />
    </ConsolePage>
  );
}
