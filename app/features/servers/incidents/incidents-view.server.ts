import type { RouterContextProvider } from "react-router";
import { sessionContext } from "~/features/auth/session/session.server";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { csvOf } from "~/http/encodings";
import { describeError, log } from "~/platform/log/log.server";
import { orUndefined } from "../fleets.server";
import { isoOf } from "../iso-of";
import { liveWith, pageSessionOf } from "../live/live-page.server";
import type { Unread } from "../live/stale-data";
import type { IncidentLine } from "./incident-list.server";
import { incidentQuery } from "./incident-query";

type Context = Readonly<RouterContextProvider>;

/** An incident with the name of its deployment; undefined where that cannot be read or is gone. */
export type NamedIncident = ReturnType<ReturnType<typeof naming>>;

/** What the page of incidents shows; `list` is undefined while the servers Worker cannot be reached. */
export async function incidentsView(context: Context, search: URLSearchParams) {
  const app = context.get(appContext);
  const workspace = openWorkspace(context);
  const query = incidentQuery(search);
  const pageSession = await pageSessionOf(context);
  const [list, names] = await Promise.all([
    orUndefined(app.bindings.FLEETS.incidents(workspace.id, query, pageSession)),
    deploymentNames(context),
  ]);
  return {
    query,
    deployments: [...names].map(([value, label]) => ({ value, label })),
    list: list && { ...list, ticket: undefined, lines: list.lines.map(naming(names)) },
    live: liveWith(app, list?.ticket),
    ...({ isUnread: list === undefined } satisfies Unread),
  };
}

/** One incident of the workspace; null where it has none of this id, undefined while it cannot be read. */
export async function incidentDetails(context: Context, id: string) {
  const app = context.get(appContext);
  const workspace = openWorkspace(context);
  const pageSession = await pageSessionOf(context);
  const [answer, names] = await Promise.all([
    orUndefined(
      app.bindings.FLEETS.incident(workspace.id, id, pageSession).then((found) => ({ found })),
    ),
    deploymentNames(context),
  ]);
  if (!answer?.found) return answer && null;
  const { ticket, ...page } = answer.found;
  return { ...page, ...naming(names)(page), live: liveWith(app, ticket) };
}

type Names = ReadonlyMap<string, string>;

const naming = (deployments: Names) => (line: IncidentLine) => ({
  ...line,
  deploymentName: deployments.get(line.server.deployment ?? ""),
});

const maxNames = 500;

/** The names of the workspace's deployments by their ids; none where they cannot be read. */
async function deploymentNames(context: Context): Promise<Names> {
  const { data, error } = await context
    .get(sessionContext)
    .supabase.from("deployments")
    .select("id, name")
    .eq("workspace_id", openWorkspace(context).id)
    .order("name")
    .limit(maxNames);
  if (error) log.error("The names of deployments could not be read", describeError(error));
  return new Map(data?.map(({ id, name }) => [id, name]));
}

/** The incidents that match as CSV, or with `of=uptime` the uptime of servers. Undefined where they cannot be read. */
export async function incidentsCsv(
  context: Context,
  search: URLSearchParams,
): Promise<string | undefined> {
  const { bindings } = context.get(appContext);
  const [file, names] = await Promise.all([
    orUndefined(bindings.FLEETS.incidentFile(openWorkspace(context).id, incidentQuery(search))),
    deploymentNames(context),
  ]);
  if (!file) return;
  if (search.get("of") === "uptime") {
    return csvOf([
      ["server", "deployment", ...file.months.map((month) => `${month} in %`)],
      ...file.uptime.map(({ name, deployment, months }) => [
        name,
        names.get(deployment ?? "") ?? deployment ?? "",
        ...months.map((share) => (share === null ? "" : Math.floor(share * 1e6) / 1e4)),
      ]),
    ]);
  }
  return csvOf([
    ["id", "server", "deployment", "severity", "began", "ended", "minutes", "in calls"].concat([
      ...["what was wrong", "found", "acknowledged", "acknowledged by"],
      ...["minutes until acknowledged", "ended because"],
    ]),
    ...file.lines.map(naming(names)).map(cellsOf),
  ]);
}

function cellsOf(line: NamedIncident): (string | number)[] {
  const { server, acknowledged, endedAt, beganAt } = line;
  const minutes = (ms: number | undefined) => (ms === undefined ? "" : Math.round(ms / 60_000));
  return [
    ...[line.id, server.name, line.deploymentName ?? server.deployment ?? ""],
    ...[line.isPaging ? "page" : "notify", isoOf(beganAt), isoOf(endedAt) ?? ""],
    ...[endedAt === undefined ? "" : minutes(endedAt - beganAt), line.participants ?? ""],
    ...[line.titles.join("; "), line.found.join("; ")],
    ...[isoOf(acknowledged?.at) ?? "", acknowledged?.who ?? acknowledged?.by ?? ""],
    ...[minutes(line.acknowledgedAfterMs), line.closedAs ?? ""],
  ];
}
