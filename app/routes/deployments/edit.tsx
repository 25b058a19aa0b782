import { useEffect, useRef } from "react";
import { data, redirect, useSearchParams } from "react-router";
import { guarded } from "~/features/auth/guard/guarded-action.server";
import { proLimits } from "~/features/deployments/bundle/options/pro-limits.ts";
import { clearDraft } from "~/features/deployments/draft/draft";
import { entitlementOfVisitor } from "~/features/deployments/plan/entitlement.server";
import { planLinkFor } from "~/features/deployments/plan/plan-link";
import { PlanNotice } from "~/features/deployments/plan/plan-notice";
import { readOnlyOfVisitor, readOnlyWords } from "~/features/deployments/plan/read-only.server";
import {
  deploymentsUnreadable,
  readVersion,
} from "~/features/deployments/record/deployments.server";
import { requestedDeployment } from "~/features/deployments/record/requested-deployment.server";
import {
  saveDeployment,
  writingRefusal,
} from "~/features/deployments/record/save-deployments.server";
import { fieldProblems } from "~/features/deployments/wizard/field-problems";
import { formValuesOf, readFormValues } from "~/features/deployments/wizard/form-values";
import {
  keepFormOf,
  keptFormRemoval,
  readKeptForm,
  versionSeen,
} from "~/features/deployments/wizard/kept-form.server";
import { questionsFor } from "~/features/deployments/wizard/questions";
import { Review } from "~/features/deployments/wizard/review";
import { reviewOf } from "~/features/deployments/wizard/review-lines";
import { readStep } from "~/features/deployments/wizard/step-answers";
import { StepForm } from "~/features/deployments/wizard/step-form";
import { StepNavigation } from "~/features/deployments/wizard/step-navigation";
import { warningsOfStep } from "~/features/deployments/wizard/step-warnings";
import { stepAfter, stepLines, stepOf, wordsOfStep } from "~/features/deployments/wizard/steps";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { readForm } from "~/http/body/form.server";
import { pageTitle } from "~/seo/page-meta";
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

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { context: app, session, deployment } = await requestedDeployment(context, params.id);
  const entitlement = deployment && (await entitlementOfVisitor(session.supabase, app));
  if (!deployment || !entitlement) throw data(unreadable, { status: 503 });
  const search = new URL(request.url).searchParams;
  const step = stepOf(search.get("step"));
  const { id, name, version, stored } = deployment;
  const kept = step === "review" ? undefined : await readKeptForm(app, request, session, step);
  const base = "options" in stored ? stored.options : undefined;
  const readOnly = await readOnlyOfVisitor(session.supabase, entitlement);
  if (!readOnly) throw data(unreadable, { status: 503 });
  const refusal = writingRefusal(entitlement) ?? readOnlyWords(readOnly, id);
  // What nobody may change is shown as it is, without a lock at each question.
  const plan = entitlement.kind === "entitled" && !refusal ? entitlement.plan : "Pro";
  const earlier =
    step === "review" && version > 1
      ? await readVersion(session.supabase, id, version - 1)
      : undefined;
  return {
    id,
    name,
    version: kept?.version ?? version,
    words: wordsOfStep(step),
    step,
    steps: stepLines,
    questions: step === "review" ? [] : questionsFor(step, plan),
    base,
    formValues: kept?.formValues ?? formValuesOf(name, base ?? {}),
    warnings: base && step !== "review" ? warningsOfStep(step, base) : {},
    review: base && step === "review" ? reviewOf(name, base) : undefined,
    earlier:
      earlier?.state === "found" && "options" in earlier.value.stored
        ? { options: earlier.value.stored.options, name: `version ${version - 1}` }
        : undefined,
    saved: outcomeOfSaving(search, version),
    notice: kept?.notice,
    draftNotes: draftNotes(search),
    refusal,
    planLink: planLinkFor(entitlement, stepPath(id, step)),
    broken:
      "problems" in stored ? stored.problems.map(({ path, message }) => ({ path, message })) : [],
  };
}

/**
 * What the save made that led to this address, or undefined when none did: `saved` is the version that it began with,
 * and `same` says that the step is shown in which the button was pressed.
 */
function outcomeOfSaving(search: URLSearchParams, version: number) {
  const before = search.get("saved");
  if (before === null) return undefined;
  const hasChanged = version > versionSeen(before);
  return {
    hasChanged,
    says: hasChanged
      ? `Saved as version ${version}.`
      : `Saved. No choice differs, so this is still version ${version}.`,
    isSameStep: search.has("same"),
  };
}

function stepPath(id: string, step: string): string {
  return `/dashboard/deployments/${id}/edit?step=${step}`;
}

const notTaken: ReadonlyMap<string, string> = new Map([
  ...proLimits.map(({ field, listed }) => [field, listed] as const),
  ["turnConfig", "the TURN domain (step Network)"],
  ["firewallPreset", "your networks for the firewall (step Network)"],
  ["recordingStorage", "the bucket for recordings (step Media)"],
  ["backupFrequency", "the key for backups (step Upkeep)"],
]);

/** What of a draft was not taken over. Whoever writes the address can only name known choices. */
function draftNotes(search: URLSearchParams): string[] {
  const words = (key: string) => {
    const named = (search.get(key) ?? "").split(",").flatMap((each) => notTaken.get(each) ?? []);
    return named.length > 0 ? new Intl.ListFormat("en").format(named) : undefined;
  };
  const locked = words("left-out");
  const open = words("open");
  return [
    ...(locked ? [`Your choices are filled in, without ${locked}: that is part of Pro.`] : []),
    ...(open ? [`Your choices are filled in. Still to say: ${open}.`] : []),
  ];
}

export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    const form = await readForm(request);
    const version = versionSeen(form.get("version"));
    return data(
      { formValues: readFormValues(form), version, errors: {}, elsewhere: [], message },
      status,
    );
  },
  async allowed({ request, context, params }: Route.ActionArgs, principal) {
    const form = await readForm(request);
    const formValues = readFormValues(form);
    const seen = versionSeen(form.get("version"));
    const { context: app, session, deployment } = await requestedDeployment(context, params.id);
    if (!deployment) {
      const message = deploymentsUnreadable;
      return data({ formValues, version: seen, errors: {}, elsewhere: [], message }, 503);
    }
    const current = deployment.version;
    const step = stepOf(form.get("step"));
    if (form.get("leave") === "plan") {
      const entitlement = await entitlementOfVisitor(session.supabase, app);
      if (!entitlement) return refuse(503, deploymentsUnreadable, []);
      const page = stepPath(deployment.id, step);
      const hasAll = entitlement.kind === "entitled" && entitlement.plan === "Pro";
      const to = hasAll ? page : planLinkFor(entitlement, page).to;
      const owner = principal.user.id;
      const kept = await keepFormOf(app, request, { owner, form, why: "plan" });
      if (!kept) return refuse(400, tooLongToKeep, []);
      return redirect(to, { status: 303, headers: { "set-cookie": kept } });
    }
    const base = "options" in deployment.stored ? deployment.stored.options : {};
    const reading = readStep(step, formValues, base);
    const here = step === "deployment" ? reading : { ...reading, name: deployment.name };
    if ("problems" in here) return refuse(400, "Nothing was saved yet.", here.problems);
    const outcome = await saveDeployment({ context: app, session, principal }, deployment, {
      name: here.name,
      options: here.options,
      expectedVersion: seen,
    });
    if (!outcome.ok) {
      const problems = fieldProblems(outcome.problems ?? [], formValues);
      return refuse(outcome.status, outcome.message, problems);
    }
    const stays = form.get("then") === "stay";
    const search = new URLSearchParams({
      step: stays ? step : stepAfter(step),
      saved: String(seen),
      ...(stays ? { same: "" } : {}),
    });
    return redirect(`/dashboard/deployments/${deployment.id}/edit?${search}`, {
      status: 303,
      headers: { "set-cookie": keptFormRemoval },
    });

    function refuse(status: number, message: string, problems: ReturnType<typeof fieldProblems>) {
      const errors = problems.filter((problem) => problem.step === step);
      return data(
        {
          formValues,
          // Only who was told of the other save goes on from it.
          version: status === 409 ? current : seen,
          errors: Object.fromEntries(errors.map((problem) => [problem.field, problem.message])),
          elsewhere: problems
            .filter((problem) => problem.step !== step)
            .map((problem) => ({ ...problem, title: wordsOfStep(problem.step).title })),
          message: status === 409 ? `${message} ${conflictAdvice}` : message,
        },
        { status },
      );
    }
  },
});

const tooLongToKeep =
  "What you typed is too long to be kept while you are away. Save it first, then change your plan.";

const conflictAdvice =
  "What you typed is still below and not saved. Look whether it still fits, then save again.";

export default function EditDeployment({ loaderData, actionData }: Route.ComponentProps) {
  const [search] = useSearchParams();
  const tookDraft = search.has("made");
  useEffect(() => {
    if (tookDraft) clearDraft();
  }, [tookDraft]);
  const { id, name, step, words, steps, review, saved, notice, draftNotes } = loaderData;
  const heading = useRef<HTMLHeadingElement>(null);
  const shownStep = useRef(step);
  // Another step begins at its heading, and whoever hears the page hears it.
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [step]);
  const { refusal, planLink, broken } = loaderData;
  return (
    <div className="grid gap-x-12 gap-y-8 pt-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <StepNavigation id={id} name={name} steps={steps} current={step} />
      <div className="min-w-0 max-w-[48rem]">
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
        {notice ? (
          <Message kind="warning" className="mt-6">
            {notice}
          </Message>
        ) : null}
        {step === "review" ? (
          <Review
            id={id}
            sections={review ?? []}
            previewed={loaderData.base && { options: loaderData.base, earlier: loaderData.earlier }}
          />
        ) : (
          <StepForm
            key={step}
            step={step}
            id={id}
            version={actionData?.version ?? loaderData.version}
            questions={loaderData.questions}
            formValues={actionData?.formValues ?? loaderData.formValues}
            base={loaderData.base}
            warnings={loaderData.warnings}
            outcome={actionData}
            readOnly={refusal !== undefined}
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
  return (
    <p role="status" className="mt-4 text-sm">
      {saved.says}{" "}
      {saved.hasChanged ? (
        <TextLink to={`/dashboard/deployments/${id}/versions`}>See what changed</TextLink>
      ) : null}
    </p>
  );
}
