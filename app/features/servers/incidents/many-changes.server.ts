import {
  auditAlertChange,
  type ChangeOutcome,
  type ChangeScope,
  notReached,
  refused,
} from "../audit-change.server";
import { orUndefined } from "../fleets.server";
import { snoozeEnd, windowEnd } from "./incident-changes.server";
import type { Many, ManyChange } from "./many.server";
import { chosenPrefix } from "./many-words";

const actions = {
  acknowledge: "incident.acknowledged",
  snooze: "incident.snoozed",
  maintenance: "server.maintenance",
} as const;

/** The action of the forms about many servers: one line of the audit log, and one call of the fleet. */
export async function changeManyServers(
  scope: ChangeScope,
  form: URLSearchParams,
): Promise<ChangeOutcome> {
  const { context, principal, workspace } = scope;
  const { id, email: who } = principal.user;
  const change = await changeIn(scope, form, { by: id, ...(who ? { who } : {}) });
  const chosen = chosenIn(form);
  if (!change || !chosen) return refused(400, "Choose servers, and what to do.");
  const until = "until" in change ? { until: change.until } : undefined;
  const audited = await auditAlertChange(scope, {
    ...{ action: actions[change.act], target: chosen.words },
    ...(until && { after: { until: until.until ? new Date(until.until).toISOString() : "" } }),
  });
  if (!audited.ok) return audited;
  const count = await orUndefined(
    context.bindings.FLEETS.changeMany(workspace.id, chosen.of, change),
  );
  if (count === undefined) return notReached("alerts");
  return count > 0
    ? { ok: true }
    : refused(409, "Nothing was changed: there is nothing like that.");
}

/** What the form does, such as `snooze-morning`. */
async function changeIn(
  scope: ChangeScope,
  form: URLSearchParams,
  by: Extract<ManyChange, { act: "acknowledge" }>["by"],
): Promise<ManyChange | undefined> {
  const [act, choice = ""] = (form.get("act") ?? "").split("-");
  if (act === "acknowledge") return { act, by };
  const until = act === "snooze" ? await snoozeEnd(choice, scope) : windowEnd(choice);
  if (act === "maintenance" && until !== undefined) return { act, until };
  return act === "snooze" && until ? { act, until } : undefined;
}

function chosenIn(form: URLSearchParams): { of: Many; words: string } | undefined {
  const of = form.get("of") ?? "";
  if (of === "all") return { of, words: "all servers" };
  if (of !== "chosen") return { of: { deployment: of }, words: "the servers of a deployment" };
  const servers = [...form.keys()].flatMap((name) =>
    name.startsWith(chosenPrefix) ? [name.slice(chosenPrefix.length)] : [],
  );
  if (servers.length === 0) return;
  return {
    of: { servers },
    words: servers.length === 1 ? "1 server" : `${servers.length} servers`,
  };
}
