import { data } from "react-router";
import type { StepOutcome } from "~/features/deployments/progress/step-forms.server";
import type { Deployment } from "~/features/deployments/stored-deployment";
import type { ChangeScope } from "../note-change.server";
import { makeEnrolmentToken, revokeEnrolmentTokens } from "./enrolment-token.server";
import { countRefusal, machineCount } from "./machine-count";

const lookAtField = "No token was made. Please look at the marked field.";

/** Makes a token for as many machines as the form of a deployment's page asks. */
export async function answerConnect({
  deployment,
  form,
  ...scope
}: ChangeScope & { deployment: Deployment; form: URLSearchParams }) {
  const { stored } = deployment;
  const text = form.get("machines") ?? "1";
  const machines = machineCount(text);
  if (machines === undefined) {
    const outcome = { message: lookAtField, machines: { text, error: countRefusal() } };
    return data<StepOutcome>(outcome, { status: 400 });
  }
  const made = await makeEnrolmentToken(
    scope,
    { ...deployment, domain: "options" in stored ? stored.options.domain : undefined },
    { machines },
  );
  if (!made.ok) {
    const outcome = made.left
      ? { message: lookAtField, machines: { text, error: made.message } }
      : { message: made.message, machines: { text } };
    return data<StepOutcome>(outcome, { status: made.status });
  }
  const { ok: _, ...token } = made;
  return data<StepOutcome>({ token });
}

/** Revokes the tokens by which machines can still be connected to a deployment. */
export async function answerRevoke({
  deployment,
  ...scope
}: ChangeScope & { deployment: Deployment }) {
  const revoked = await revokeEnrolmentTokens(scope, deployment);
  if (revoked.ok) return data<StepOutcome>({ areTokensRevoked: true });
  return data<StepOutcome>({ message: revoked.message }, { status: revoked.status });
}
