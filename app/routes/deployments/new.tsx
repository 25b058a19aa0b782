import { useEffect, useRef } from "react";
import { data, Form, redirect, useNavigation } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { identifyPrincipal, sessionContext } from "~/features/auth/session/session.server";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { parseDraft } from "~/features/deployments/draft/draft";
import { draftNotesSearch } from "~/features/deployments/draft/draft-notes.server";
import { draftOver } from "~/features/deployments/draft/draft-options";
import { useDraft } from "~/features/deployments/draft/use-draft";
import { DomainField } from "~/features/deployments/page/domain-field";
import { entitlementOfVisitor } from "~/features/deployments/plan/entitlement.server";
import { withinPlan } from "~/features/deployments/plan/plan-limits";
import { type PlanLink, planLinkFor } from "~/features/deployments/plan/plan-link";
import {
  deploymentsUnreadable,
  listDeployments,
} from "~/features/deployments/record/deployments.server";
import { createDeployment } from "~/features/deployments/record/save-deployments.server";
import { beginningRefusal } from "~/features/deployments/wizard/beginning.server";
import { fieldProblems, nameProblems } from "~/features/deployments/wizard/field-problems";
import type { FormValues } from "~/features/deployments/wizard/form-values";
import { readPostedForm } from "~/features/deployments/wizard/posted-form";
import { withChanges } from "~/features/deployments/wizard/unsaved-changes";
import {
  keepUnsaved,
  removeUnsaved,
  setDiscarded,
  unsavedOnArrival,
} from "~/features/deployments/wizard/unsaved-changes.server";
import { Discarded } from "~/features/deployments/wizard/unsaved-notice";
import { useSavedChanges } from "~/features/deployments/wizard/use-saved-changes";
import { usualMachine } from "~/features/deployments/wizard/usual-machine";
import { deploymentsCrumb } from "~/features/deployments/words/deployment-handle";
import { typedDomain } from "~/features/deployments/words/typed-domain";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { consoleBase, useConsoleBase } from "~/ui/console/console-path";
import { useHeadingFocus } from "~/ui/console/use-heading-focus";
import { Button, LinkButton } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextButton, TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/new";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("New deployment") },
  { name: "robots", content: "noindex" },
];

export const handle = {
  right: "describe",
  breadcrumbs: ({ base }) => [
    deploymentsCrumb(base),
    { to: `${base}/deployments/new`, label: "New deployment" },
  ],
} satisfies ConsoleHandle;

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const session = context.get(sessionContext);
  const workspace = context.get(workspaceContext);
  const newPath = `${consoleBase(request.url)}/deployments/new`;
  const [entitlement, page, unsaved, current] = await Promise.all([
    entitlementOfVisitor(session.supabase, app, workspace),
    listDeployments(session.supabase, workspace),
    unsavedOnArrival({ context: app, session, workspace }, request),
    identifyPrincipal(session),
  ]);
  const refusal = beginningRefusal(entitlement, page, newPath);
  if (refusal) return data(refusal, { status: refusal.state === "unavailable" ? 503 : 200 });
  const { changes, isDiscarded, headers } = unsaved;
  // The default for the mail address; a user without a confirmed one types it.
  const userEmail = current.ok ? current.principal.user.email : undefined;
  const open = {
    state: "open" as const,
    formValues: withChanges({}, changes),
    hasChanges: ["domain", "email"].some(
      (field) => changes[field] && changes[field].now !== userEmail,
    ),
    isDiscarded: isDiscarded && new URL(request.url).searchParams.has("discarded"),
    ownEmail: userEmail,
  };
  return data(open, { headers });
}

const notDiscarded = "Your changes cannot be discarded right now. Please try again in a moment.";

export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    return notSaved(readPostedForm(await readForm(request)).formValues, status, message);
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const app = context.get(appContext);
    const session = context.get(sessionContext);
    const base = consoleBase(request.url);
    const newPath = `${base}/deployments/new`;
    const form = await readForm(request);
    const posted = readPostedForm(form);
    const { formValues } = posted;
    const workspace = context.get(workspaceContext);
    const scope = { context: app, session, principal, workspace, owner: principal.user.id };
    if (form.has("discard")) {
      const isDiscarded = form.get("discard") !== "undo";
      if (isDiscarded) await keepUnsaved(scope, posted);
      const isDone = await setDiscarded(scope, isDiscarded);
      const to = isDiscarded ? `${newPath}?discarded` : newPath;
      return isDone ? redirect(to, 303) : notSaved(formValues, 503, notDiscarded);
    }
    const entitlement = await entitlementOfVisitor(session.supabase, app, workspace);
    if (!entitlement) return notSaved(formValues, 503, deploymentsUnreadable);
    const planLink = planLinkFor(entitlement, newPath);
    const leave = form.get("leave");
    if (leave !== null) {
      const { refusal } = await keepUnsaved(scope, posted);
      if (refusal) return notSaved(formValues, refusal.status, refusal.message);
      const cameFrom = new URL(request.url).searchParams.get("from");
      const back = cameFrom === "overview" ? base : `${base}/deployments`;
      return redirect(leave === "plan" ? planLink.to : back, 303);
    }
    const domainTyped = typedDomain(formValues.domain ?? "");
    // The form does not ask for a name. A page that was opened before a deploy may.
    const name = (formValues.name ?? "").trim() || domainTyped.slice(0, 80);
    const typed = { domain: domainTyped, email: (formValues.email ?? "").trim() };
    const { domain, email, ...draft } = parseDraft(form.get("draft"));
    // Only with a domain and an email is seen what else a choice of the draft needs.
    const { candidate, open } = draftOver(draft, typed);
    const reading = parseOptions({
      ...candidate,
      ...machineChosen(formValues),
      ...typed,
    });
    const problems = [
      ...(name === "" ? [] : nameProblems(name)),
      ...(reading.problems ? fieldProblems(reading.problems, formValues) : []),
    ];
    if (!reading.options || problems.length > 0) {
      return notSaved(
        formValues,
        400,
        "Nothing was saved yet. Please look at the marked fields.",
        problems,
      );
    }
    const plan = entitlement.kind === "entitled" ? entitlement.plan : "Basic";
    const { options, leftOut } = withinPlan(plan, reading.options);
    const outcome = await createDeployment(scope, { name, options });
    if (!outcome.ok) {
      const lacksPlan = outcome.status === 403 ? planLink : undefined;
      return notSaved(
        formValues,
        outcome.status,
        outcome.message,
        fieldProblems(outcome.problems ?? [], formValues),
        lacksPlan,
      );
    }
    await removeUnsaved(scope);
    const search = draftNotesSearch(leftOut, open);
    return redirect(`${base}/deployments/${outcome.id}/edit?${search}`, 303);
  },
});

/** What the form for the first server asks on the overview, and this form takes along. */
const machineFields = Object.keys(usualMachine);

/** The machine that was chosen on the overview. Ubuntu runs at every provider. */
function machineChosen(formValues: FormValues): Record<string, string> {
  const chosen = Object.entries(formValues).filter(([field]) => machineFields.includes(field));
  return chosen.length > 0 ? { ...Object.fromEntries(chosen), system: "ubuntu-24.04" } : {};
}

/** The page with what was typed, and why it was not saved. */
function notSaved(
  formValues: FormValues,
  status: number,
  message: string,
  problems: { field: string; message: string }[] = [],
  /** Where the plan is what is missing. */
  planLink?: PlanLink,
) {
  const errors: Record<string, string | undefined> = Object.fromEntries(
    problems.map((problem) => [problem.field, problem.message]),
  );
  return data({ formValues, errors, message, planLink }, { status });
}

export default function NewDeployment({ loaderData, actionData }: Route.ComponentProps) {
  const base = useConsoleBase();
  const heading = useRef<HTMLHeadingElement>(null);
  useHeadingFocus(heading);
  return (
    <div className="max-w-prose pt-8">
      <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        New deployment
      </h1>
      {loaderData.state === "open" || actionData ? (
        <StartForm outcome={actionData} arrival={loaderData.state === "open" ? loaderData : {}} />
      ) : loaderData.state === "refused" ? (
        <>
          <p className="mt-4">{loaderData.refusal}</p>
          <div className="mt-6 flex flex-wrap gap-3">
            <LinkButton to={loaderData.planLink.to}>{loaderData.planLink.words}</LinkButton>
            <LinkButton to={`${base}/deployments`} variant="secondary">
              Back to deployments
            </LinkButton>
          </div>
        </>
      ) : (
        <Message kind="failure" className="mt-6">
          Your deployments cannot be read right now. They are safe. Please try again in a moment.
        </Message>
      )}
    </div>
  );
}

function StartForm({
  outcome,
  arrival,
}: {
  outcome: Route.ComponentProps["actionData"];
  arrival: {
    formValues?: FormValues;
    hasChanges?: boolean;
    isDiscarded?: boolean;
    ownEmail?: string | undefined;
  };
}) {
  const base = useConsoleBase();
  const draft = useDraft();
  const form = useRef<HTMLFormElement>(null);
  const busy = useNavigation().state !== "idle";
  const formValues = outcome?.formValues ?? arrival.formValues ?? {};
  const others = Object.keys(draft).filter((field) => field !== "domain" && field !== "email");
  const { ownEmail: userEmail = "", hasChanges, isDiscarded } = arrival;
  const savedChanges = useSavedChanges(form, "new");
  // What somebody has typed already stays.
  useEffect(() => {
    for (const field of ["domain", "email"] as const) {
      const input = form.current?.elements.namedItem(field);
      if (!(input instanceof HTMLInputElement)) continue;
      if (input.value === "" || input.value === userEmail)
        input.value = draft[field] ?? input.value;
    }
  }, [draft, userEmail]);
  return (
    <>
      <p className="mt-2 text-ink-soft">
        Two things to begin with. Everything else has a sensible answer that the next steps let you
        change. You have a LiveKit server?{" "}
        <TextLink to={`${base}/deployments/move-in`}>Move in</TextLink> with its files.
      </p>
      {outcome ? (
        <Message kind="failure" className="mt-6">
          {outcome.message}
        </Message>
      ) : null}
      {hasChanges && !outcome ? (
        <Message kind="warning" className="mt-6">
          This is what you typed before. It is kept for you, on any device, and not saved yet.
        </Message>
      ) : null}
      {isDiscarded ? <Discarded /> : null}
      <Form
        key={isDiscarded ? "discarded" : ""}
        ref={form}
        method="post"
        noValidate
        className="mt-8 grid gap-6"
      >
        <input type="hidden" name="draft" value={JSON.stringify(draft)} />
        {machineFields.map((field) =>
          formValues[field] ? (
            <input key={field} type="hidden" name={field} value={formValues[field]} />
          ) : null,
        )}
        <DomainField
          hint="A name of yours that is not in use yet."
          warning={typeof savedChanges === "object" ? savedChanges.warning : undefined}
          placeholder="livekit.example.com"
          defaultValue={formValues.domain}
          error={outcome?.errors.domain}
        />
        <TextField
          name="email"
          label="Email"
          type="email"
          hint="Let's Encrypt and ZeroSSL, which issue the certificates, get this address."
          defaultValue={formValues.email ?? userEmail}
          error={outcome?.errors.email}
          autoComplete="email"
        />
        {others.length > 0 ? (
          <p role="status" className="text-sm text-ink-soft">
            {`${others.length === 1 ? "1 choice" : `${others.length} choices`} from the services page will be filled in.`}
          </p>
        ) : null}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" disabled={busy}>
            {busy ? "Saving..." : "Create deployment"}
          </Button>
          {outcome?.planLink ? (
            <Button type="submit" name="leave" value="plan" variant="secondary" disabled={busy}>
              {outcome.planLink.words}
            </Button>
          ) : null}
          <TextButton
            type="submit"
            name="leave"
            value="out"
            variant="standalone"
            className="px-3"
            disabled={busy}
          >
            Cancel
          </TextButton>
          {hasChanges ? (
            <TextButton type="submit" name="discard" value="all" variant="standalone">
              Discard changes
            </TextButton>
          ) : null}
        </div>
        {savedChanges !== "failed" ? null : (
          <p role="status" className="text-sm text-failure">
            What you typed cannot be kept right now. Save it before you leave.
          </p>
        )}
      </Form>
    </>
  );
}
