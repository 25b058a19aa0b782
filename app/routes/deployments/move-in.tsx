import { lazy, Suspense, useRef, useState } from "react";
import { data, redirect } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { identifyPrincipal, sessionContext } from "~/features/auth/session/session.server";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { draftNotesSearch } from "~/features/deployments/draft/draft-notes.server";
import { entitlementOfVisitor } from "~/features/deployments/plan/entitlement.server";
import { withinPlan } from "~/features/deployments/plan/plan-limits";
import { type PlanLink, planLinkFor } from "~/features/deployments/plan/plan-link";
import {
  deploymentsUnreadable,
  listDeployments,
} from "~/features/deployments/record/deployments.server";
import { createDeployment } from "~/features/deployments/record/save-deployments.server";
import { beginningRefusal } from "~/features/deployments/wizard/beginning.server";
import { fieldProblems } from "~/features/deployments/wizard/field-problems";
import { readKeptForm, savedFormRemoval } from "~/features/deployments/wizard/saved-form.server";
import { deploymentsCrumb } from "~/features/deployments/words/deployment-handle";
import { typedDomain } from "~/features/deployments/words/typed-domain";
import type { TypedNames } from "~/features/move-in/make-form";
import type { MoveIn } from "~/features/move-in/move-in";
import { MoveInFiles } from "~/features/move-in/move-in-files";
import { postedOptions } from "~/features/move-in/posted-options";
import { useMoveIn } from "~/features/move-in/use-move-in";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { consoleBase, useConsoleBase } from "~/ui/console/console-path";
import { useHeadingFocus } from "~/ui/console/use-heading-focus";
import { LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/move-in";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Move in") },
  { name: "robots", content: "noindex" },
];

export const handle = {
  right: "describe",
  breadcrumbs: ({ base }) => [
    deploymentsCrumb(base),
    { to: `${base}/deployments/move-in`, label: "Move in" },
  ],
} satisfies ConsoleHandle;

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const session = context.get(sessionContext);
  const workspace = context.get(workspaceContext);
  const [entitlement, page, current, savedForm] = await Promise.all([
    entitlementOfVisitor(session.supabase, app, workspace),
    listDeployments(session.supabase, workspace),
    identifyPrincipal(session),
    readKeptForm(app, request, session),
  ]);
  const path = `${consoleBase(request.url)}/deployments/move-in`;
  const refusal = beginningRefusal(entitlement, page, path);
  if (refusal) return data(refusal, { status: refusal.state === "unavailable" ? 503 : 200 });
  // The default for the mail address; a user without a confirmed one types it.
  const userEmail = current.ok ? current.principal.user.email : undefined;
  return { state: "open" as const, userEmail, typed: savedForm?.formValues };
}

export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    return notMade(await readForm(request), status, message);
  },
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const app = context.get(appContext);
    const session = context.get(sessionContext);
    const workspace = context.get(workspaceContext);
    const base = consoleBase(request.url);
    const form = await readForm(request);
    const entitlement = await entitlementOfVisitor(session.supabase, app, workspace);
    if (!entitlement) return notMade(form, 503, deploymentsUnreadable);
    const domain = typedDomain(form.get("domain") ?? "");
    const email = (form.get("email") ?? "").trim();
    const posted = postedOptions(form.get("options"));
    if (!posted) return notMade(form, 400, unreadable);
    const reading = parseOptions({ ...posted, domain, email });
    if (!reading.options) {
      const problems = fieldProblems(reading.problems, { domain, email });
      const here = problems.filter(({ field }) => field === "domain" || field === "email");
      if (here.length === 0) return notMade(form, 400, unreadable);
      return notMade(form, 400, "Nothing was saved yet. Please look at the marked fields.", here);
    }
    const plan = entitlement.kind === "entitled" ? entitlement.plan : "Basic";
    const { options, leftOut } = withinPlan(plan, reading.options);
    const scope = { context: app, session, principal, workspace, owner: principal.user.id };
    const made = await createDeployment(scope, { name: domain.slice(0, 80), options });
    if (!made.ok) {
      const problems = fieldProblems(made.problems ?? [], { domain, email });
      const back = `${base}/deployments/move-in`;
      const planLink = made.status === 403 ? planLinkFor(entitlement, back) : undefined;
      return notMade(form, made.status, made.message, problems, planLink);
    }
    const search = draftNotesSearch(leftOut, []);
    return redirect(`${base}/deployments/${made.id}/edit?${search}`, {
      status: 303,
      headers: { "set-cookie": savedFormRemoval },
    });
  },
});

const unreadable =
  "What was found in the files cannot be read here. Load the page again, choose them anew, and please write to us if that does not help.";

/** The page with what was typed, and why nothing was made. The files are still in the browser. */
function notMade(
  form: URLSearchParams,
  status: number,
  message: string,
  problems: readonly { field: string; message: string }[] = [],
  planLink?: PlanLink,
) {
  const errors: Record<string, string | undefined> = Object.fromEntries(
    problems.map((problem) => [problem.field, problem.message]),
  );
  const typed = { domain: form.get("domain") ?? "", email: form.get("email") ?? "" };
  return data({ typed, message, errors, planLink }, { status });
}

/** Only a browser that read files shows it. */
const MoveInResult = lazy(() =>
  import("~/features/move-in/move-in-result.client").catch(() => ({ default: NotLoaded })),
);

function NotLoaded() {
  return (
    <Message kind="failure" className="mt-6">
      What was found could not be shown. You may be offline. If not, load the page again.
    </Message>
  );
}

export default function MoveInPage({ loaderData, actionData }: Route.ComponentProps) {
  const base = useConsoleBase();
  const heading = useRef<HTMLHeadingElement>(null);
  useHeadingFocus(heading);
  const files = useMoveIn();
  const { found, addition } = files;
  const refused = (addition ?? found)?.refused ?? [];
  const [typed, setTyped] = useState<TypedNames>({});
  const isOpen = loaderData.state === "open" || actionData !== undefined;
  return (
    <div className="pt-8">
      <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none">
        Move in
      </h1>
      <p className="mt-3 max-w-prose text-lg text-ink-soft">
        You have a LiveKit: from its files a deployment of ours is made, with everything that can be
        taken over. They are read in your browser and not sent, and no key leaves your machine.{" "}
        <TextLink to="/docs/move-in">How it works</TextLink>
      </p>
      {isOpen ? (
        <>
          {/* Beside its form, once this tab has found again what stands there. */}
          {actionData && !found?.isFound ? (
            <Message kind="failure" className="mt-6">
              {actionData.message}
            </Message>
          ) : null}
          <MoveInFiles files={files} />
          <div role="status" className="max-w-prose">
            {addition ? <p className="mt-6 font-strong">{summaryOf(addition)}</p> : null}
            {found ? <p className="mt-6 font-strong">{summaryOf(found)}</p> : null}
            {files.isRemembered ? (
              <p className="mt-3">
                That was found before. The files themselves are not remembered, since they may have
                secrets: to read more, choose all of them again together.
              </p>
            ) : null}
          </div>
          {refused.length > 0 ? (
            <ul className="mt-3 text-sm text-failure">
              {refused.map(({ name, line, message }) => (
                <li key={name} className="wrap-anywhere">
                  {`${name}, line ${line}: ${message}.`}
                </li>
              ))}
            </ul>
          ) : null}
          {found?.isFound ? (
            <p className="mt-3">
              <TextLink to="#make">Make the deployment</TextLink>
            </p>
          ) : null}
          {found?.isFound ? (
            <Suspense>
              <MoveInResult
                found={found}
                typed={typed}
                onType={setTyped}
                outcome={actionData}
                posted={loaderData.state === "open" ? loaderData.typed : undefined}
                userEmail={loaderData.state === "open" ? loaderData.userEmail : undefined}
              />
            </Suspense>
          ) : null}
        </>
      ) : loaderData.state === "refused" ? (
        <>
          <p className="mt-4 max-w-prose">{loaderData.refusal}</p>
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

function summaryOf({ files, isFound, mappings, differences }: MoveIn): string {
  const names = files.map(({ name }) => name).join(", ");
  if (!isFound) {
    return `There is no configuration of LiveKit in ${names || "what you gave"}. Give its livekit.yaml, or the values of its chart.`;
  }
  return `Read: ${names}. ${mappings.length === 1 ? "1 setting is" : `${mappings.length} settings are`} taken over, ${differences.length} differ.`;
}
