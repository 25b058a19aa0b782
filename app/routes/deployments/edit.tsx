import { useEffect, useRef, useState } from "react";
import { data, redirect, useSearchParams } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { clearDraft } from "~/features/deployments/draft/draft";
import { draftNotes } from "~/features/deployments/draft/draft-notes.server";
import { entitlementOfVisitor } from "~/features/deployments/plan/entitlement.server";
import { planLinkFor } from "~/features/deployments/plan/plan-link";
import { PlanNotice } from "~/features/deployments/plan/plan-notice";
import { readOnlyIn, readOnlyWords } from "~/features/deployments/plan/read-only.server";
import { domainWarning } from "~/features/deployments/progress/domain-look.server";
import {
  deploymentsUnreadable,
  readVersion,
} from "~/features/deployments/record/deployments.server";
import { requestedDeployment } from "~/features/deployments/record/requested-deployment.server";
import { writingRefusal } from "~/features/deployments/record/save-deployments.server";
import { machineNotes } from "~/features/deployments/wizard/machine-notes.server";
import { readPostedForm, versionOf } from "~/features/deployments/wizard/posted-form";
import { questionsFor } from "~/features/deployments/wizard/questions";
import { Review } from "~/features/deployments/wizard/review";
import { reviewOf } from "~/features/deployments/wizard/review-lines";
import { saveChanges } from "~/features/deployments/wizard/save-changes.server";
import { readSteps } from "~/features/deployments/wizard/step-answers";
import { StepForm, wizardForm } from "~/features/deployments/wizard/step-form";
import { StepNavigation } from "~/features/deployments/wizard/step-navigation";
import { warningsOfStep } from "~/features/deployments/wizard/step-warnings";
import {
  type StepId,
  stepAfter,
  stepLines,
  stepOf,
  wordsOfStep,
} from "~/features/deployments/wizard/steps";
import {
  changedSteps,
  conflictsIn,
  withChanges,
} from "~/features/deployments/wizard/unsaved-changes";
import {
  keepUnsaved,
  savedValues,
  setDiscarded,
  unsavedOnArrival,
} from "~/features/deployments/wizard/unsaved-changes.server";
import { Conflicts, Discarded, UnsavedNotice } from "~/features/deployments/wizard/unsaved-notice";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import { consoleBase, useConsoleBase } from "~/ui/console/console-path";
import { useHeadingFocus } from "~/ui/console/use-heading-focus";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/edit";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: pageTitle(loaderData ? `${loaderData.words.title} · ${loaderData.name}` : "Deployment"),
  },
  { name: "robots", content: "noindex" },
];

const unreadable =
  "Your deployment cannot be read right now. It is safe, and what you typed is not lost: go back, or try again in a moment.";

export const handle = deploymentHandle({ path: "edit", label: "Edit" });

export async function loader(args: Route.LoaderArgs) {
  const { request } = args;
  const { context: app, session, workspace, deployment } = await requestedDeployment(args);
  const entitlement =
    deployment &&
    (await entitlementOfVisitor(session.supabase, app, { id: deployment.workspaceId }));
  if (!deployment || !entitlement) throw data(unreadable, { status: 503 });
  const search = new URL(request.url).searchParams;
  const step = stepOf(search.get("step"));
  const { id, name, version, stored } = deployment;
  const base = "options" in stored ? stored.options : undefined;
  const unsaved = await unsavedOnArrival({ context: app, session, workspace }, request, deployment);
  const saved = savedValues(deployment);
  const formValues = withChanges(saved, unsaved.changes);
  const [readOnly, warning, machines] = await Promise.all([
    readOnlyIn(deployment.workspaceId, session.supabase, entitlement),
    step === "domain"
      ? domainWarning({ context: app, session, request }, formValues.domain, deployment.address)
      : undefined,
    step === "deployment" ? machineNotes(app) : undefined,
  ]);
  if (!readOnly) throw data(unreadable, { status: 503 });
  const refusal = writingRefusal(entitlement) ?? readOnlyWords(readOnly, id);
  // What nobody may change is shown as it is, without a lock at each question.
  const plan = entitlement.kind === "entitled" && !refusal ? entitlement.plan : "Pro";
  const earlier =
    step === "review" && version > 1
      ? await readVersion(session.supabase, id, version - 1)
      : undefined;
  const changed = changedSteps(unsaved.changes);
  const reading = base && readSteps(changed, formValues, base);
  const typed = reading && "options" in reading ? reading.options : base;
  const page = {
    id,
    name,
    version,
    words: wordsOfStep(step),
    step,
    steps: stepLines,
    machines,
    questions: step === "review" ? [] : questionsFor(step, plan),
    base,
    typed,
    formValues,
    changed,
    conflicts: conflictsIn(unsaved.changes, saved),
    isDiscarded: unsaved.isDiscarded && search.has("discarded"),
    back: search.get("back") === "review",
    warnings: {
      ...(typed && step !== "review" ? warningsOfStep(step, typed) : {}),
      ...(warning && { domain: warning }),
    },
    review: base && step === "review" ? reviewOf(formValues, unsaved.changes) : undefined,
    earlier:
      earlier?.state === "found" && "options" in earlier.value.stored
        ? { options: earlier.value.stored.options, name: `version ${version - 1}` }
        : undefined,
    saved: outcomeOfSaving(search, version),
    draftNotes: draftNotes(search),
    refusal,
    planLink: planLinkFor(entitlement, stepPath(consoleBase(request.url), id, step)),
    broken:
      "problems" in stored ? stored.problems.map(({ path, message }) => ({ path, message })) : [],
  };
  return data(page, { headers: unsaved.headers });
}

/**
 * What the save made that led to this address, or undefined when none did: `saved` is the version that it began with,
 * and `same` says that the step is shown in which the button was pressed.
 */
function outcomeOfSaving(search: URLSearchParams, version: number) {
  const before = search.get("saved");
  if (before === null) return undefined;
  const hasChanged = version > versionOf(before);
  return {
    hasChanged,
    says: hasChanged
      ? `Saved as version ${version}.`
      : `Saved. No choice differs, so this is still version ${version}.`,
    isSameStep: search.has("same"),
  };
}

function stepPath(base: string, id: string, step: string): string {
  return `${base}/deployments/${id}/edit?step=${step}`;
}

export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    const { formValues, version } = readPostedForm(await readForm(request));
    return data({ formValues, version, errors: {}, elsewhere: [], conflicts: [], message }, status);
  },
  async allowed(args: Route.ActionArgs, principal) {
    const { request } = args;
    const form = await readForm(request);
    const posted = readPostedForm(form);
    const { formValues, step, version } = posted;
    const { context: app, session, workspace, deployment } = await requestedDeployment(args);
    const refuse = ({ status, message }: { status: number; message: string }) =>
      data({ formValues, version, errors: {}, elsewhere: [], conflicts: [], message }, status);
    if (!deployment) return refuse({ status: 503, message: deploymentsUnreadable });
    const { id } = deployment;
    const base = consoleBase(request.url);
    const scope = { context: app, session, principal, workspace, owner: principal.user.id };
    if (form.has("discard")) {
      const isDiscarded = form.get("discard") !== "undo";
      // What was typed last comes back with the rest.
      if (isDiscarded) await keepUnsaved(scope, posted, deployment);
      if (!(await setDiscarded(scope, isDiscarded, id))) return refuse(notDiscarded);
      // The time distinguishes one discarding from the next, so that the form is filled anew.
      const key = isDiscarded ? "discarded" : "restored";
      return redirect(`${stepPath(base, id, step)}&${key}=${Date.now()}`, 303);
    }
    const leave = form.get("leave");
    if (leave !== null) {
      const to = await wayOut(leave);
      const { refusal } = await keepUnsaved(scope, posted, deployment);
      return refusal ? refuse(refusal) : redirect(to, 303);
    }
    const outcome = await saveChanges(scope, deployment, posted);
    if (outcome.ok) {
      const next = nextStep(form, step);
      const search = new URLSearchParams({
        step: next,
        saved: String(version),
        ...(next === step && step !== "review" ? { same: "" } : {}),
      });
      return redirect(`${base}/deployments/${id}/edit?${search}`, 303);
    }
    const here = outcome.problems.filter((problem) => problem.step === step);
    return data(
      {
        formValues: outcome.formValues,
        version: outcome.version,
        errors: Object.fromEntries(here.map(({ field, message }) => [field, message])),
        elsewhere: outcome.problems
          .filter((problem) => problem.step !== step)
          .map((problem) => ({ ...problem, title: wordsOfStep(problem.step).title })),
        conflicts: outcome.conflicts,
        message: outcome.message,
      },
      { status: outcome.status },
    );

    /** Where a button leads that keeps the form first. */
    async function wayOut(to: string): Promise<string> {
      if (to === "out") return `${base}/deployments/${id}`;
      const page = stepPath(base, id, to === "plan" ? step : stepOf(to));
      const entitlement =
        to === "plan" ? await entitlementOfVisitor(session.supabase, app, workspace) : undefined;
      if (!entitlement) return page;
      const hasAll = entitlement.kind === "entitled" && entitlement.plan === "Pro";
      return hasAll ? page : planLinkFor(entitlement, page).to;
    }
  },
});

const notDiscarded = {
  status: 503,
  message: "Your changes cannot be discarded right now. Please try again in a moment.",
};

/** Where a save leads: back to the review where the user came from there to change one answer. */
function nextStep(form: URLSearchParams, step: StepId): StepId {
  if (form.get("then") === "next") return stepAfter(step);
  if (form.get("back") === "review") return "review";
  return form.get("then") === "stay" ? step : stepAfter(step);
}

export default function EditDeployment({ loaderData, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const tookDraft = search.has("made");
  useEffect(() => {
    if (tookDraft) clearDraft();
  }, [tookDraft]);
  const { id, name, step, words, steps, saved, draftNotes } = loaderData;
  const heading = useRef<HTMLHeadingElement>(null);
  useHeadingFocus(heading, step);
  // Steps that were saved since the page was loaded are newer than its data.
  const [browserChanges, setBrowserChanges] = useState<{ of: unknown; steps: readonly string[] }>();
  const changed = browserChanges?.of === loaderData ? browserChanges.steps : loaderData.changed;
  const { refusal, planLink, broken } = loaderData;
  const isReadOnly = refusal !== undefined;
  const version = actionData?.version ?? loaderData.version;
  const conflicts = actionData?.conflicts ?? loaderData.conflicts;
  return (
    <div className="grid gap-x-12 gap-y-8 pt-8 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <StepNavigation
        id={id}
        name={name}
        steps={steps}
        current={step}
        changed={changed}
        form={step === "review" || isReadOnly ? undefined : wizardForm}
      />
      <div className="min-w-0 max-w-[44rem]">
        <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
          {words.title}
        </h1>
        <p className="mt-2 text-ink-soft">{words.intro}</p>
        {refusal ? <PlanNotice words={refusal} planLink={planLink} /> : null}
        {broken.length > 0 ? (
          <Message kind="warning" className="mt-6">
            What is stored for this deployment cannot be read any more. Its versions are kept:
            restore an older one, or answer the steps again and save.
          </Message>
        ) : null}
        {draftNotes.map((note) => (
          <Message key={note} kind="warning" className="mt-6">
            {note}
          </Message>
        ))}
        {saved && !saved.isSameStep ? <SavedNotice id={id} saved={saved} /> : null}
        {loaderData.isDiscarded ? <Discarded step={step} /> : null}
        {loaderData.changed.length > 0 ? <UnsavedNotice steps={loaderData.changed} /> : null}
        <Conflicts conflicts={conflicts} />
        {step === "review" ? (
          <Review
            id={id}
            version={version}
            sections={loaderData.review ?? []}
            hasChanges={changed.length > 0 && !isReadOnly}
            outcome={actionData}
            previewed={
              loaderData.typed && {
                options: loaderData.typed,
                earlier:
                  changed.length > 0 && loaderData.base
                    ? { options: loaderData.base, name: "what is saved" }
                    : loaderData.earlier,
              }
            }
          />
        ) : (
          <StepForm
            key={`${step} ${actionData?.conflicts.length ? version : ""} ${search.get("discarded")} ${search.get("restored")}`}
            step={step}
            id={id}
            version={version}
            questions={loaderData.questions}
            formValues={actionData?.formValues ?? loaderData.formValues}
            machines={loaderData.machines}
            proPrice={planLink.price}
            typed={loaderData.typed}
            base={loaderData.base}
            warnings={loaderData.warnings}
            outcome={actionData}
            readOnly={isReadOnly}
            backToReview={loaderData.back}
            changed={changed}
            onChangesSaved={(steps) => setBrowserChanges({ of: loaderData, steps })}
            afterSaving={
              saved?.isSameStep && !actionData ? <SavedNotice id={id} saved={saved} /> : null
            }
          />
        )}
      </div>
    </div>
  );
}

function SavedNotice({ id, saved }: { id: string; saved: { says: string; hasChanged: boolean } }) {
  const base = useConsoleBase();
  return (
    <p role="status" className="mt-4 text-sm">
      <span>{saved.says} </span>
      {saved.hasChanged ? (
        <TextLink to={`${base}/deployments/${id}/versions`}>See what changed</TextLink>
      ) : null}
    </p>
  );
}
