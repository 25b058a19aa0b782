import { data } from "react-router";
import { turnOf } from "~/features/deployments/bundle/options/derived-options";
import { outdatedChoices } from "~/features/deployments/download/downloads.server";
import type { StepOutcome } from "~/features/deployments/progress/step-forms.server";
import { progressOf } from "~/features/deployments/progress/steps-view.server";
import type { Deployment } from "~/features/deployments/stored-deployment";
import { type ChangeScope, notReached, refused } from "../audit-change.server";
import { orUndefined } from "../fleets.server";
import { rungLines, tooManyChecks } from "../pages/rung-lines";
import { openFleet } from "./enrolment-tokens.server";

/**
 * Checks from outside what a deployment's server is to be, at the address that was pasted. It changes nothing, so the audit
 * log does not have it.
 */
export async function answerPreflight({
  deployment,
  ...scope
}: ChangeScope & { deployment: Deployment }) {
  const outcome = await preflight(scope, deployment);
  return "message" in outcome
    ? data<StepOutcome>({ message: outcome.message }, { status: outcome.status })
    : data<StepOutcome>({ preflight: outcome });
}

async function preflight(scope: ChangeScope, deployment: Deployment) {
  const { context, session, workspace } = scope;
  if (!("options" in deployment.stored)) return refused(409, outdatedChoices);
  const [progress] = (await progressOf(session.supabase, [deployment], context, new Map())) ?? [];
  if (!progress) return notReached("servers");
  const { ipv4, ipv6 } = progress.view?.address ?? {};
  const addresses = [ipv4, ipv6].filter((address) => address !== undefined);
  if (addresses.length === 0) {
    return refused(400, "Paste the server's address first: then it can be checked from outside.");
  }
  const opened = await openFleet(scope);
  if (!opened.ok) return opened;
  const { options } = deployment.stored;
  const turn = turnOf(options);
  const answer = await orUndefined(
    context.bindings.FLEETS.preflight(workspace.id, deployment.id, {
      ...{ domain: options.domain, turn: turn.tls ? turn.domain : null },
      ...{ addresses, readsCertificate: true },
    }).then((check) => ({ check })),
  );
  if (!answer) return notReached("servers");
  const { check } = answer;
  if ("waitMs" in check) return refused(429, tooManyChecks(check.waitMs));
  return { at: new Date(check.at).toISOString(), lines: rungLines(check.results) };
}
