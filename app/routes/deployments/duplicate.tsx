import { useRef } from "react";
import { data, Form, redirect, useNavigation } from "react-router";
import { guarded } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { foundOrThrow, outdatedChoices } from "~/features/deployments/download/downloads.server";
import { DomainField } from "~/features/deployments/page/domain-field";
import { findDeployment } from "~/features/deployments/record/requested-deployment.server";
import { createDeployment } from "~/features/deployments/record/save-deployments.server";
import { fieldProblems, nameProblems } from "~/features/deployments/wizard/field-problems";
import { readKeptForm, savedFormRemoval } from "~/features/deployments/wizard/saved-form.server";
import { useSavedChanges } from "~/features/deployments/wizard/use-saved-changes";
import { deploymentHandle } from "~/features/deployments/words/deployment-handle";
import { displayDomain } from "~/features/deployments/words/display-domain";
import { typedDomain } from "~/features/deployments/words/typed-domain";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import { consoleBase, useConsoleBase } from "~/ui/console/console-path";
import { Button, LinkButton } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { DeploymentOptions } from "../../features/deployments/bundle/options/options.ts";
import type { Route } from "./+types/duplicate";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Duplicate a deployment") },
  { name: "robots", content: "noindex" },
];

export const handle = deploymentHandle({ path: "duplicate", label: "Duplicate" });

export async function loader(args: Route.LoaderArgs) {
  const { request, context } = args;
  const session = context.get(sessionContext);
  const { name, stored } = foundOrThrow(await findDeployment(args));
  if (!("options" in stored)) throw data(outdatedChoices, { status: 409 });
  const savedForm = await readKeptForm(context.get(appContext), request, session);
  return {
    name,
    domain: displayDomain(stored.options.domain),
    leftOut: namesLeftOut(stored.options).map(displayDomain),
    typed: savedForm?.formValues,
  };
}

/** Makes a deployment with the choices of another one, under a name and a domain of its own. */
export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    return notMade(await readForm(request), status, message);
  },
  async allowed(args: Route.ActionArgs, principal) {
    const { request, context } = args;
    const app = context.get(appContext);
    const session = context.get(sessionContext);
    const original = foundOrThrow(await findDeployment(args));
    const form = await readForm(request);
    if (!("options" in original.stored)) return notMade(form, 409, outdatedChoices);
    const { options } = original.stored;
    const name = (form.get("name") ?? "").trim();
    const reading = parseOptions(copyTo(typedDomain(form.get("domain") ?? ""), options));
    const problems = [
      ...nameProblems(name),
      ...(reading.problems ? fieldProblems(reading.problems, {}) : []),
      ...(reading.options?.domain === options.domain
        ? [
            {
              field: "domain",
              message: `${original.name} has this domain. Two servers cannot share one, and the provider commands would take the first for the second.`,
            },
          ]
        : []),
    ];
    if (!reading.options || problems.length > 0) {
      return notMade(
        form,
        400,
        "Nothing was made yet. Please look at the marked fields.",
        problems,
      );
    }
    const outcome = await createDeployment(
      { context: app, session, principal, workspace: context.get(workspaceContext) },
      { name, options: reading.options },
    );
    if (!outcome.ok) return notMade(form, outcome.status, outcome.message, outcome.problems);
    return redirect(`${consoleBase(request.url)}/deployments/${outcome.id}`, {
      status: 303,
      headers: { "set-cookie": savedFormRemoval },
    });
  },
});

/** The page with what was typed, and why nothing was made. A problem of no field here is shown above the form. */
function notMade(
  form: URLSearchParams,
  status: number,
  message: string,
  problems: readonly { field?: string; message: string }[] = [],
) {
  const at = (name: string) => problems.find(({ field }) => field === name)?.message;
  // Without a good domain the names below it are wrong too: only the domain's problem is shown.
  const others = at("domain")
    ? []
    : problems.filter(({ field }) => field !== "name" && field !== "domain");
  return data(
    {
      message: [message, ...others.map((each) => each.message)].join(" "),
      name: form.get("name") ?? "",
      domain: form.get("domain") ?? "",
      errors: { name: at("name"), domain: at("domain") },
    },
    { status },
  );
}

export default function DuplicateDeployment({ loaderData, actionData }: Route.ComponentProps) {
  const base = useConsoleBase();
  const { name, domain, leftOut, typed } = loaderData;
  const busy = useNavigation().state !== "idle";
  const form = useRef<HTMLFormElement>(null);
  const savedChanges = useSavedChanges(form, "new");
  return (
    <div className="max-w-prose pt-8">
      <h1 className="text-2xl wrap-anywhere">Duplicate {name}</h1>
      <p className="mt-2 text-ink-soft">
        The copy has all its choices and a server of its own, so it needs a domain of its own.
      </p>
      {leftOut.length > 0 ? (
        <p className="mt-2 wrap-anywhere text-ink-soft">
          Left out, because they point at the server of {name}: {leftOut.join(", ")}.
        </p>
      ) : null}
      {actionData ? (
        <Message kind="failure" className="mt-6">
          {actionData.message}
        </Message>
      ) : typed ? (
        <Message kind="warning" className="mt-6">
          This is what you typed before you had to sign in. Nothing was made yet.
        </Message>
      ) : null}
      <Form ref={form} method="post" noValidate className="mt-8 grid gap-6">
        {/* What is typed here is looked up while it is typed, and not kept: it is no change of a deployment. */}
        <input type="hidden" name="keep" value="no" />
        <TextField
          name="name"
          label="Name"
          hint="For you alone: it appears in this console and nowhere else."
          defaultValue={actionData?.name ?? typed?.name ?? copyName(name)}
          error={actionData?.errors.name}
          autoComplete="off"
        />
        <DomainField
          hint={`Another one than ${domain}.`}
          warning={typeof savedChanges === "object" ? savedChanges.warning : undefined}
          defaultValue={actionData?.domain ?? typed?.domain}
          error={actionData?.errors.domain}
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" disabled={busy}>
            {busy ? "Saving..." : "Make the copy"}
          </Button>
          <LinkButton to={`${base}/deployments`} variant="secondary">
            Cancel
          </LinkButton>
        </div>
      </Form>
    </div>
  );
}

/** At most 80 characters, like every name. */
function copyName(name: string): string {
  return `Copy of ${[...name].slice(0, 72).join("")}`;
}

/**
 * The choices of a copy that gets another domain, to be checked by `parseOptions`. Names below the old domain move
 * below the new one. Any other name of the original is left out: it points at the original's server.
 */
function copyTo(domain: string, options: DeploymentOptions): Record<string, unknown> {
  const moved = (name: string) =>
    isBelow(name, options.domain) ? name.slice(0, -options.domain.length) + domain : undefined;
  const { turn, whipDomain, extraDomains, ...rest } = options;
  const movedTurn = turn.mode === "manual" ? moved(turn.domain) : undefined;
  const movedWhip = whipDomain && moved(whipDomain);
  return {
    ...rest,
    domain,
    extraDomains: extraDomains.flatMap((name) => moved(name) ?? []),
    ...(turn.mode === "manual" && movedTurn ? { turn: { ...turn, domain: movedTurn } } : {}),
    ...(movedWhip ? { whipDomain: movedWhip } : {}),
  };
}

/** The names that a copy does not get. */
function namesLeftOut({ domain, turn, whipDomain, extraDomains }: DeploymentOptions): string[] {
  const names = [
    ...extraDomains,
    ...(turn.mode === "manual" ? [turn.domain] : []),
    ...(whipDomain ? [whipDomain] : []),
  ];
  return [...new Set(names.filter((name) => !isBelow(name, domain)))];
}

function isBelow(name: string, domain: string): boolean {
  return name.endsWith(`.${domain}`);
}
