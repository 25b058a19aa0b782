import { data, Link, redirect, useSearchParams } from "react-router";
import { guarded, userContext } from "~/features/auth/guard.server";
import { sessionContext } from "~/features/auth/session/session.server";
import { DeletedDeployments } from "~/features/deployments/page/deleted-deployments";
import { entitlementOfVisitor } from "~/features/deployments/plan/entitlement.server";
import {
  allowedDeployments,
  type Entitlement,
  fullPlan,
} from "~/features/deployments/plan/plan-limits";
import { planLine } from "~/features/deployments/plan/plan-line";
import { type PlanLink, planLinkFor } from "~/features/deployments/plan/plan-link";
import { type ReadOnly, readOnlyIn } from "~/features/deployments/plan/read-only.server";
import {
  type DeploymentLine,
  describeDeployment,
} from "~/features/deployments/progress/deployment-line";
import { NextLine } from "~/features/deployments/progress/next-line";
import { progressOf } from "~/features/deployments/progress/steps-view.server";
import {
  type DeletedDeployment,
  listDeleted,
} from "~/features/deployments/record/deleted-deployments.server";
import {
  deploymentsUnreadable,
  isDeploymentId,
  listDeployments,
} from "~/features/deployments/record/deployments.server";
import {
  restoreDeployment,
  writingRefusal,
} from "~/features/deployments/record/save-deployments.server";
import { stepLines } from "~/features/deployments/wizard/steps";
import { reportedServers } from "~/features/servers/pages/reported-servers.server";
import { readWorkspaceFleet } from "~/features/servers/pages/workspace-fleet.server";
import { useMay } from "~/features/workspaces/roles";
import { workspaceContext } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { pageTitle } from "~/seo/page-meta";
import type { ConsoleHandle } from "~/ui/console/console-handle";
import { consoleBase, useConsoleBase } from "~/ui/console/console-path";
import { Badge } from "~/ui/primitives/badge";
import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import type { Route } from "./+types/list";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Deployments") },
  { name: "robots", content: "noindex" },
];

export const handle = { right: "describe" } satisfies ConsoleHandle;

export async function loader({ request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const session = context.get(sessionContext);
  const workspace = context.get(workspaceContext);
  const after = new URL(request.url).searchParams.get("after");
  const [page, entitlement, deleted, fleet] = await Promise.all([
    listDeployments(session.supabase, workspace, after),
    entitlementOfVisitor(session.supabase, app, workspace),
    workspace && after === null ? listDeleted(app, context.get(userContext).id, workspace.id) : [],
    readWorkspaceFleet(context),
  ]);
  if (!workspace || !page || !entitlement) throw data(deploymentsUnreadable, { status: 503 });
  const readOnly =
    page.total > 1
      ? await readOnlyIn(workspace.id, session.supabase, entitlement)
      : { ids: new Set<string>() };
  const reports = reportedServers(fleet?.servers ?? []);
  const progress = await progressOf(session.supabase, page.deployments, app, reports);
  if (!readOnly || !progress) throw data(deploymentsUnreadable, { status: 503 });
  const hasRoom =
    entitlement.kind === "entitled" &&
    page.total < allowedDeployments(entitlement.plan, entitlement.isTrial);
  return {
    page: {
      lines: progress.map((each) => ({
        ...describeDeployment(each),
        isReadOnly: readOnly.ids.has(each.deployment.id),
      })),
      total: page.total,
      next: page.next,
      planLine: planLine(entitlement, page.total),
      entitlement: entitlement.kind,
      hasRoom,
      advice: hasRoom ? undefined : adviceFor(entitlement, readOnly),
      planLink: planLinkFor(entitlement, `${consoleBase(request.url)}/deployments`),
      firstPage: after === null,
      deleted,
      restoreObstacle: hasRoom
        ? undefined
        : (writingRefusal(entitlement) ??
          "Your plan has no room for one more now: delete another one, or change the plan, to restore one of these."),
    },
  };
}

/** What the plan does not allow here, and what still can be done. */
function adviceFor(entitlement: Entitlement, { ids, changeable }: Partial<ReadOnly>): string {
  switch (entitlement.kind) {
    case "entitled":
      if (entitlement.plan === "Pro") return fullPlan("Pro", entitlement.isTrial);
      return ids?.size
        ? `Basic changes one deployment, the one that you made first, and that is ${changeable}. What is marked read-only can be opened, downloaded and deleted. With Pro you can change all of them again.`
        : "Basic has one deployment. Pro has many.";
    case "on-hold":
      return "Your plan is on hold. You can read and download everything; Billing says why, and how to go on.";
    default:
      return "You can read and download everything. Choose a plan to change it again.";
  }
}

/** Takes the deletion of one of the person's deployments back. */
export const action = guarded({
  refused: ({ status, message }) => data({ message }, { status }),
  async allowed({ request, context }: Route.ActionArgs, principal) {
    const id = (await readForm(request)).get("restore") ?? "";
    if (!isDeploymentId(id)) throw data(null, { status: 404 });
    const workspace = context.get(workspaceContext);
    if (!workspace) return data({ message: deploymentsUnreadable }, { status: 503 });
    const scope = {
      context: context.get(appContext),
      session: context.get(sessionContext),
      principal,
      workspace,
    };
    // What the plan of this workspace allows does not hold for another.
    const deleted = await listDeleted(scope.context, principal.user.id, workspace.id);
    if (!deleted.some((each) => each.id === id)) throw data(null, { status: 404 });
    const outcome = await restoreDeployment(scope, id);
    if (outcome.ok) return redirect(`${consoleBase(request.url)}/deployments/${id}`, 303);
    return data({ message: outcome.message }, { status: outcome.status });
  },
});

export default function Deployments({ loaderData, actionData }: Route.ComponentProps) {
  const { page } = loaderData;
  const [search] = useSearchParams();
  const base = useConsoleBase();
  const mayDescribe = useMay("describe");
  const message = actionData?.message;
  return (
    <div className="pt-8">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-2xl">Deployments</h1>
          <p className="mt-2 font-mono text-sm tabular-nums text-ink-soft">{page.planLine}</p>
        </div>
        {page.hasRoom && page.total > 0 && mayDescribe ? (
          <LinkButton to={`${base}/deployments/new`}>New deployment</LinkButton>
        ) : null}
      </div>
      {message ? (
        <Message kind="failure" className="mt-6">
          {message}
        </Message>
      ) : search.get("notice") === "deleted" ? (
        <Message kind="success" className="mt-6">
          The deployment was deleted. It can be restored below. Servers that you made from it go on
          running.
        </Message>
      ) : null}
      <Page page={page} />
      <DeletedDeployments deployments={page.deleted} obstacle={page.restoreObstacle} />
    </div>
  );
}

type Line = DeploymentLine & { isReadOnly: boolean };

type ListPage = {
  lines: Line[];
  total: number;
  next: string | undefined;
  entitlement: Entitlement["kind"];
  hasRoom: boolean;
  advice: string | undefined;
  planLink: PlanLink;
  firstPage: boolean;
  deleted: DeletedDeployment[];
  restoreObstacle: string | undefined;
};

function Page({ page }: { page: ListPage }) {
  const mayBuy = useMay("billing");
  const base = useConsoleBase();
  if (page.total === 0) return <Empty entitlement={page.entitlement} planLink={page.planLink} />;
  return (
    <>
      {page.advice ? (
        <p className="mt-6 flex flex-wrap items-center gap-x-3 rounded-md bg-well px-4 py-3">
          <span>{page.advice}</span>
          {mayBuy ? (
            <TextLink to={page.planLink.to} className="min-h-6">
              {page.planLink.words}
            </TextLink>
          ) : null}
        </p>
      ) : null}
      <ul className="mt-8 grid border-t border-line">
        {page.lines.map((line) => (
          <Row key={line.id} line={line} canDuplicate={page.hasRoom} />
        ))}
      </ul>
      <nav aria-label="Pages" className="mt-6 flex flex-wrap gap-3 empty:hidden">
        {page.firstPage ? null : (
          <LinkButton to={`${base}/deployments`} variant="secondary">
            First page
          </LinkButton>
        )}
        {page.next ? (
          <LinkButton to={`?${new URLSearchParams({ after: page.next })}`} variant="secondary">
            Next page
          </LinkButton>
        ) : null}
      </nav>
    </>
  );
}

function Row({ line, canDuplicate }: { line: Line; canDuplicate: boolean }) {
  const base = useConsoleBase();
  const address = `${base}/deployments/${line.id}`;
  const mayDescribe = useMay("describe");
  return (
    <li className="grid gap-x-8 gap-y-3 border-b border-line py-6 md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
      <div className="min-w-0">
        <h2 className="text-lg">
          <Link to={address} className="wrap-anywhere hover:text-signal">
            {line.name}
          </Link>
          {line.isReadOnly ? (
            <Badge variant="outline" className="ml-3">
              Read-only
            </Badge>
          ) : null}
        </h2>
        {line.place ? (
          <p className="mt-1 font-mono text-sm wrap-anywhere text-ink-soft">
            {[line.place.domain, ...line.place.machine].join(" · ")}
          </p>
        ) : (
          <p className="mt-1 text-sm text-failure">
            What is stored cannot be read. Open it to see what to do.
          </p>
        )}
        <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
          <span className="flex gap-1" aria-hidden="true">
            {line.checklist.map(({ step, done }) => (
              <span
                key={step}
                className={`h-1.5 w-6 rounded-sm ${done ? "bg-signal" : "bg-line-strong"}`}
              />
            ))}
          </span>
          <NextLine next={line.next} />
          <span>
            Version {line.version}, saved {line.savedOn}
          </span>
        </p>
      </div>
      {mayDescribe ? (
        <div className="flex flex-wrap gap-x-5">
          {line.isReadOnly ? null : (
            <TextLink to={`${address}/edit`} variant="standalone" aria-label={`Edit ${line.name}`}>
              Edit
            </TextLink>
          )}
          {canDuplicate ? (
            <TextLink
              to={`${address}/duplicate`}
              variant="standalone"
              aria-label={`Duplicate ${line.name}`}
            >
              Duplicate
            </TextLink>
          ) : null}
          <TextLink
            to={`${address}/delete`}
            variant="standalone"
            aria-label={`Delete ${line.name}`}
          >
            Delete
          </TextLink>
        </div>
      ) : null}
    </li>
  );
}

function Empty({
  entitlement,
  planLink,
}: {
  entitlement: Entitlement["kind"];
  planLink: PlanLink;
}) {
  const base = useConsoleBase();
  const mayStart = entitlement === "entitled";
  const mayGoOn = useMay(mayStart ? "describe" : "billing");
  return (
    <Card as="section" className="mt-8 grid gap-8 lg:grid-cols-[3fr_2fr]">
      <div>
        <h2 className="text-xl">Your first server starts with a domain</h2>
        <p className="mt-3 max-w-prose text-ink-soft">
          Say where it runs and what it does, in the steps beside this. You get the files that boot
          it, the commands that create it and the DNS records to set. What you chose on the services
          page is filled in.
        </p>
        {mayStart ? null : (
          <p className="mt-3 max-w-prose">
            {entitlement === "on-hold"
              ? "Your plan is on hold: Billing says why, and how to begin."
              : "This comes with a plan. Basic has one deployment; Pro has many, with Ingress, Egress and backups."}
          </p>
        )}
        {mayGoOn ? (
          <LinkButton to={mayStart ? `${base}/deployments/new` : planLink.to} className="mt-6">
            {mayStart ? "Describe a deployment" : planLink.words}
          </LinkButton>
        ) : null}
      </div>
      <ol className="grid content-start gap-2 border-l border-line pl-6 font-mono text-sm text-ink-soft">
        {stepLines.map(({ id, number, title }) => (
          <li key={id}>
            <span className="mr-3 text-signal">{number}</span>
            {title}
          </li>
        ))}
      </ol>
    </Card>
  );
}
