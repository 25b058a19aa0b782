import { type ReactNode, use } from "react";
import { isRouteErrorResponse, Outlet, useLocation, useMatches } from "react-router";
import { requireUser, userContext } from "~/features/auth/guard.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import {
  secondsUntilRefresh,
  useSessionRefresh,
} from "~/features/auth/session/use-session-refresh";
import { NeedsAccount, TrialBanner, worksInTrial } from "~/features/trial/trial-banner";
import { trialEnd } from "~/features/trial/trial-end.server";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import { InTrialContext, RefusalsContext, refusalsFor, roleMay } from "~/features/workspaces/roles";
import {
  lastWorkspace,
  requireWorkspace,
  workspaceContext,
} from "~/features/workspaces/workspace.server";
import { drawsShell } from "~/http/route-handle";
import { pageTitle } from "~/seo/page-meta";
import { ConsoleError } from "~/ui/console/console-error";
import { handleOf } from "~/ui/console/console-handle";
import { noWorkspace, personalBase, useConsoleBase } from "~/ui/console/console-path";
import { Shell } from "~/ui/console/shell";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/layout";

export const meta: Route.MetaFunction = ({ error }) => [
  { title: pageTitle(isRouteErrorResponse(error) ? String(error.status) : "Dashboard") },
  { name: "robots", content: "noindex" },
];

export const handle = drawsShell;

export const middleware: Route.MiddlewareFunction[] = [
  sessionMiddleware,
  requireUser,
  requireWorkspace,
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { email, expiresAt } = context.get(userContext);
  // A page that belongs to the person is shown in the workspace that they come from.
  const open = context.get(workspaceContext) ?? (await lastWorkspace(request, context));
  const trial = await trialEnd(context.get(sessionContext));
  return {
    email,
    trial,
    askIn: secondsUntilRefresh(expiresAt),
    // A user who is alone in their personal workspace, and has no other, has no menu of workspaces.
    workspaces:
      open && (open.all.length > 1 || open.isShared)
        ? { current: named(open), all: open.all.map(named) }
        : undefined,
    notAllowed: open ? refusalsFor(open.role, trial !== undefined) : {},
  };
}

function named({ name, base, isClosed, role }: Workspace) {
  return { name, base, isClosed, mayReadAudit: roleMay(role, "audit") && !isClosed };
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  useSessionRefresh(loaderData.askIn);
  const consoleHome = useConsoleBase();
  const { email, workspaces } = loaderData;
  return (
    <Shell
      email={email}
      base={workspaces?.current.base ?? consoleHome}
      workspaces={workspaces}
      mayBill={!loaderData.notAllowed.billing}
      banner={loaderData.trial ? <TrialBanner {...loaderData.trial} /> : null}
    >
      <RefusalsContext value={loaderData.notAllowed}>
        <InTrialContext value={loaderData.trial !== undefined}>
          <Allowed>
            <Outlet />
          </Allowed>
        </InTrialContext>
      </RefusalsContext>
    </Shell>
  );
}

/** The page with its forms, which nobody can fill in whose role, or trial, does not allow them: a sentence says who may. */
function Allowed({ children }: { children: ReactNode }) {
  const { right, isRead } = handleOf(useMatches());
  const [refusals, isTrial] = [use(RefusalsContext), use(InTrialContext)];
  const { pathname } = useLocation();
  if (isTrial) return worksInTrial(pathname) ? children : <NeedsAccount>{children}</NeedsAccount>;
  const refusal = right && refusals[right];
  if (!refusal) return children;
  return (
    <>
      <Message kind="warning" className="mt-8">
        {refusal}
      </Message>
      {isRead ? (
        children
      ) : (
        <fieldset disabled className="min-w-0">
          {children}
        </fieldset>
      )}
    </>
  );
}

/**
 * In place of any page of the console that failed. An expected failure is thrown as `data(sentence, { status })`, whose
 * sentence says what happened and what is safe.
 */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const consoleHome = useConsoleBase();
  // A member who was removed while the page was open still has the workspace in its loader data.
  const isGone = isRouteErrorResponse(error) && error.data === noWorkspace;
  const base = isGone ? personalBase : (loaderData?.workspaces?.current.base ?? consoleHome);
  return (
    <Shell
      email={loaderData?.email}
      base={base}
      workspaces={isGone ? undefined : loaderData?.workspaces}
      mayBill={isGone || !loaderData?.notAllowed.billing}
    >
      <ConsoleError error={error} base={base} />
    </Shell>
  );
}
