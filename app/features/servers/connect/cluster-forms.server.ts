import { data, redirect } from "react-router";
import type { StepOutcome } from "~/features/deployments/progress/step-forms.server";
import type { Deployment } from "~/features/deployments/stored-deployment";
import type { ChangeScope } from "../audit-change.server";
import { readFleet } from "../fleets.server";
import { changeIncident, isIncidentIntent } from "../incidents/incident-changes.server";
import { clusterMachines } from "../pages/cluster-view.server";

const gone = "This deployment has no cluster now. Load the page again.";
const unreadable =
  "Your servers cannot be reached right now. Nothing was changed. Please try again in a moment.";

/** The forms about what is wrong with the cluster of a deployment: as a server's own, of all its machines. */
export async function answerCluster({
  deployment,
  form,
  page,
  ...scope
}: ChangeScope & { deployment: Deployment; form: URLSearchParams; page: string }) {
  const intent = form.get("intent") ?? "";
  const fleet = await readFleet(scope);
  if (!fleet) return data<StepOutcome>({ message: unreadable }, { status: 503 });
  const { id, name } = deployment;
  if (!isIncidentIntent(intent) || clusterMachines(fleet.servers, id).length === 0) {
    return data<StepOutcome>({ message: gone }, { status: 404 });
  }
  const incident = fleet.clusters?.find((each) => each.deployment === id)?.incident;
  const server = { id, name, deployment: id, request: undefined, incident };
  const outcome = await changeIncident(intent, { ...scope, server, form });
  if (!outcome.ok) {
    return data<StepOutcome>({ message: outcome.message }, { status: outcome.status });
  }
  return redirect(`${page}#cluster`, 303);
}
