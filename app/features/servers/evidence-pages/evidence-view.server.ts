import type { RouterContextProvider } from "react-router";
import * as z from "zod/mini";
import { openWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { explainUnseen } from "../explanation/explain-unseen";
import type { Explanation } from "../explanation/facts";
import { orUndefined, readServer } from "../fleets.server";
import { isoOf } from "../iso-of";
import type { EvidencePage, StoredEvidence } from "../room-sessions/evidence-table.server";
import { isServerId } from "../server-id";
import { withServerLoad } from "./server-load.server";

/** One call with why it was as it was; nothing for one of which nothing is known to have gone wrong. */
export type EvidenceLine = StoredEvidence & { explanation?: Explanation | undefined };

/** What apps said of calls on a server; null where the workspace has no such server, undefined while it cannot be read. */
export async function evidenceView(
  context: Readonly<RouterContextProvider>,
  id: string,
  search: URLSearchParams,
) {
  if (!isServerId(id)) return null;
  const [app, workspace] = [context.get(appContext), openWorkspace(context)];
  const who = (search.get("who") ?? "").trim().slice(0, 100);
  const at = timeIn(search);
  const [server, answer] = await Promise.all([
    readServer({ context: app, workspace }, id, "7d"),
    orUndefined(
      app.bindings.FLEETS.evidence(workspace.id, id, who ? { name: who, ...at } : {}).then(
        (page) => ({ page }),
      ),
    ),
  ]);
  if (server === null || (answer && !answer.page)) return null;
  if (!server || !answer?.page) return;
  const { calls, days, networks, hasNetworks, hours = [] } = answer.page;
  const known = server.incidents ? { incidents: server.incidents } : {};
  const lines = calls.map(({ peers, ...said }): EvidenceLine => {
    const facts = { at: said.firstAt, evidence: { said, ...peers }, ...known };
    return { ...said, explanation: explainUnseen(facts)[0] };
  });
  const isAbsent = who && at && calls.length === 0;
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
    time: at ? isoOf(at.at).slice(0, 16) : "",
    absence: isAbsent ? explainUnseen({ ...at, ...known })[0] : undefined,
    networks: networks.filter(({ bad }) => bad > 0),
    hours: withServerLoad(hours, server),
  };
}

/** The time that somebody was asked for, if any, in UTC. */
function timeIn(search: URLSearchParams): { at: number } | undefined {
  const { data } = z.iso.datetime({ local: true }).safeParse(search.get("at"));
  if (data) return { at: Date.parse(`${data.slice(0, 16)}Z`) };
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
