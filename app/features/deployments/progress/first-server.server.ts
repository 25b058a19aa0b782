import { data, redirect } from "react-router";
import type { Session } from "~/features/auth/session/session.server";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import type { AppContext } from "~/http/app-context";
import { parseOptions } from "../bundle/options/parse-options.ts";
import { deploymentOptions } from "../bundle/options/table/deployment.ts";
import { parseDraft } from "../draft/draft";
import { draftNotesSearch } from "../draft/draft-notes.server";
import { draftOver } from "../draft/draft-options";
import { entitlementOfVisitor } from "../plan/entitlement.server";
import { withinPlan } from "../plan/plan-limits";
import { deploymentsUnreadable, listDeployments } from "../record/deployments.server";
import { createDeployment, type WorkspaceScope } from "../record/save-deployments.server";
import type { Reports } from "../reported-servers";
import { fieldProblems } from "../wizard/field-problems";
import type { FormValues } from "../wizard/form-values";
import type { AllMachineNotes } from "../wizard/machine-notes";
import { machineNotes } from "../wizard/machine-notes.server";
import { readPostedForm } from "../wizard/posted-form";
import { withChanges } from "../wizard/unsaved-changes";
import { keepUnsaved, readUnsaved, removeUnsaved } from "../wizard/unsaved-changes.server";
import { typedDomain } from "../words/typed-domain";
import { type DeploymentLine, describeDeployment } from "./deployment-line";
import { type NextWords, nextWords } from "./next-words";
import { type Progress, progressOf, type StepsView } from "./steps-view.server";

/**
 * What the overview shows of somebody's servers: the form for the first, its steps until all are done, or all
 * deployments in short.
 */
export type Servers =
  | { state: "unreadable" }
  | { state: "none"; choices: FirstServerChoices }
  | {
      state: "first";
      steps: StepsView;
      /** What is to be said of its servers; undefined where none was connected. */
      next: NextWords | undefined;
    }
  | { state: "some"; lines: DeploymentLine[] };

/** More deployments are in the list of all. Those that want something come first. */
const maxLines = 5;

/** `names` are those of the deployments by their id, `reports` what their servers say of themselves. */
export async function serversOf(
  supabase: Session["supabase"],
  context: AppContext,
  workspace: Workspace | null,
  reports: Promise<Reports>,
): Promise<Servers & { names: ReadonlyMap<string, string> }> {
  const page = await listDeployments(supabase, workspace);
  const names = new Map(page?.deployments.map(({ id, name }) => [id, name]));
  const progress = page && (await progressOf(supabase, page.deployments, context, await reports));
  if (!progress) return { state: "unreadable", names };
  if (progress.length === 0) {
    const [machines, { changes }] = await Promise.all([
      machineNotes(context),
      readUnsaved(supabase, workspace),
    ]);
    const unsaved = fieldsIn(withChanges({}, changes));
    return { state: "none", choices: { selects: selects(), machines, unsaved }, names };
  }
  const [first, ...others] = progress;
  if (first?.view && others.length === 0 && !isRunning(first)) {
    const next = first.servers && nextWords(first);
    return { state: "first", steps: first.view, next, names };
  }
  const described = progress.map(describeDeployment);
  const lines = described
    .toSorted((one, other) => Number(one.next.isDone) - Number(other.next.isDone))
    .slice(0, maxLines);
  return { state: "some", lines, names };
}

/** A server runs too where the doctor's step was marked before there was a step for the address. */
function isRunning({ states, deployment }: Progress): boolean {
  const isMarked = deployment.ticks.doctor !== undefined && states.doctor.done;
  return states.connect.done || (isMarked && !deployment.address);
}

/** What can be chosen without going through all options, and what each is at a provider. */
export type FirstServerChoices = {
  selects: {
    name: Exclude<Field, "domain">;
    label: string;
    options: { value: string; label: string }[];
  }[];
  machines: AllMachineNotes | undefined;
  /** What was typed here, or in the form for a new deployment, and not saved. */
  unsaved: Fields;
};

function selects(): FirstServerChoices["selects"] {
  const labels = { provider: "Cloud", region: "Region", size: "Size" } as const;
  return (["provider", "region", "size"] as const).map((name) => {
    const offered: readonly { value: string; label: string }[] =
      deploymentOptions[name].questions[0].choices;
    return {
      name,
      label: labels[name],
      options: offered
        .filter(({ value }) => value !== "own")
        .map(({ value, label }) => ({ value, label })),
    };
  });
}

/** The fields of the form for the first server. */
const firstServerFields = ["domain", "provider", "region", "size"] as const;
type Field = (typeof firstServerFields)[number];
type Fields = Partial<Record<Field, string>>;

function fieldsIn(formValues: FormValues): Fields {
  const found = firstServerFields.map((field) => [field, formValues[field]] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** What was typed into the form for the first server. */
export function typedFields(form: URLSearchParams): Fields {
  return Object.fromEntries(firstServerFields.map((field) => [field, form.get(field) ?? ""]));
}

export type FirstServerOutcome = {
  message?: string | undefined;
  typed?: Fields;
  errors?: Fields;
};

/**
 * Makes a deployment of what was typed, with good defaults and the choices of the services page for the rest, or keeps
 * what was typed for the form that asks for everything. `base` is the console's.
 */
export async function createFirstServer(
  scope: WorkspaceScope,
  form: URLSearchParams,
  base: string,
) {
  const typed = typedFields(form);
  const answer = (status: number, message: string, errors: FirstServerOutcome["errors"] = {}) =>
    data<FirstServerOutcome>({ message, typed, errors }, { status });
  const ownerScope = { ...scope, owner: scope.principal.user.id };
  if (form.has("leave")) {
    const { refusal } = await keepUnsaved(ownerScope, readPostedForm(form));
    return refusal
      ? answer(refusal.status, refusal.message)
      : redirect(`${base}/deployments/new?from=overview`, 303);
  }
  const { context, session, workspace } = scope;
  const entitlement = await entitlementOfVisitor(session.supabase, context, workspace);
  if (!entitlement) return answer(503, deploymentsUnreadable);
  const { email } = scope.principal.user;
  if (!email) {
    return answer(
      400,
      "Certificates need an e-mail address, and your account has none: go through all options.",
    );
  }
  const domain = typedDomain(form.get("domain") ?? "");
  // Only with a domain and an email is seen what else a choice of the draft needs.
  const { candidate, open } = draftOver(parseDraft(form.get("draft")), { domain, email });
  const chosen = Object.entries(typed).filter(([, value]) => value !== "");
  const { options, problems = [] } = parseOptions({
    ...candidate,
    ...Object.fromEntries(chosen),
    system: "ubuntu-24.04",
    domain,
    email,
  });
  if (!options) {
    const errors = Object.fromEntries(
      fieldProblems(problems, typed).map(({ field, message }) => [field, message]),
    );
    return answer(400, "Nothing was created yet. Please look at the marked fields.", errors);
  }
  const plan = entitlement.kind === "entitled" ? entitlement.plan : "Basic";
  const within = withinPlan(plan, options);
  const outcome = await createDeployment(scope, { name: "Production", options: within.options });
  if (!outcome.ok) return answer(outcome.status, outcome.message);
  await removeUnsaved(ownerScope);
  return redirect(`${base}?${draftNotesSearch(within.leftOut, open)}`, 303);
}
