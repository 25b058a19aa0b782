import type { RouterContextProvider } from "react-router";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { orUndefined, readServer } from "../fleets.server";
import type { EvidencePage, StoredEvidence } from "../room-sessions/evidence-table.server";
import { isServerId } from "../server-id";
import { type EvidenceAdvice, evidenceAdvice, othersIn } from "./evidence-advice";
import { withServerLoad } from "./server-load.server";

/** One call with what it means. */
export type EvidenceLine = StoredEvidence & { advice: EvidenceAdvice };

/** What apps said of calls on a server; null where the workspace has no such server, undefined while it cannot be read. */
export async function evidenceView(
  context: Readonly<RouterContextProvider>,
  id: string,
  search: URLSearchParams,
) {
  if (!isServerId(id)) return null;
  const [app, workspace] = [context.get(appContext), openWorkspace(context)];
  const who = (search.get("who") ?? "").trim().slice(0, 100);
  const [server, answer] = await Promise.all([
    readServer({ context: app, workspace }, id, "7d"),
    orUndefined(
      app.bindings.FLEETS.evidence(workspace.id, id, who ? { name: who } : {}).then((page) => ({
        page,
      })),
    ),
  ]);
  if (server === null || (answer && !answer.page)) return null;
  if (!server || !answer?.page) return;
  const { calls, moreCalls, days, networks, hasNetworks, hours = [] } = answer.page;
  const lines = calls.map((each): EvidenceLine => {
    const sum = networks.find(({ network }) => network === each.network);
    // Where not all calls are here, those of others cannot be told from their own.
    const network = moreCalls > 0 ? undefined : othersIn(sum, each, calls);
    return { ...each, advice: evidenceAdvice(each, { domain: server.domain, network }) };
  });
  return {
    ...{
      id,
      name: server.name,
      deployment: server.deployment,
      who,
      calls: lines,
      days,
      hasNetworks,
    },
    networks: networks.filter(({ bad }) => bad > 0),
    hours: withServerLoad(hours, server),
  };
}

/** What apps said of the calls in one session; none while that cannot be read, which hides nothing of the session. */
export async function evidenceOfSession(
  context: Readonly<RouterContextProvider>,
  id: string,
  session: string,
): Promise<Pick<EvidencePage, "calls" | "moreCalls">> {
  const [app, workspace] = [context.get(appContext), openWorkspace(context)];
  const page = await orUndefined(app.bindings.FLEETS.evidence(workspace.id, id, { session }));
  return page ?? { calls: [], moreCalls: 0 };
}
