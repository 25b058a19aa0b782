import { data } from "react-router";
import { bundleOrThrow } from "~/features/deployments/download/bundles.server";
import { madeInBrowser, outdatedChoices } from "~/features/deployments/download/downloads.server";
import type { StepOutcome } from "~/features/deployments/progress/step-forms.server";
import type { Deployment } from "~/features/deployments/stored-deployment";
import type { ChangeScope } from "../audit-change.server";
import { makeEnrolmentToken } from "./enrolment-tokens.server";

/** Makes user data of a kilobyte for a new machine, which connects it and fetches its files. */
export async function answerUserData({
  deployment,
  ...scope
}: ChangeScope & { deployment: Deployment }) {
  const { id, version, stored } = deployment;
  const refused = (message: string, status = 409) => data<StepOutcome>({ message }, { status });
  if (!("options" in stored)) return refused(outdatedChoices);
  if (stored.options.secrets === "browser") return refused(madeInBrowser);
  const made = await makeEnrolmentToken(scope, deployment, "bundle");
  if (!made.ok) return refused(made.message, made.status);
  const { token, ends } = made;
  const { files } = await bundleOrThrow(scope.context, stored.options, {
    version: { deployment: id, number: version },
    token,
  });
  const text = files.find(({ path }) => path === "user-data.py")?.content;
  if (text === undefined) throw new Error("A bundle with a token has short user data");
  return data<StepOutcome>({ userData: { text, ends } });
}
