import { isRouteErrorResponse, Outlet } from "react-router";
import { requireUser, userContext } from "~/features/auth/guard/require-user.server";
import { secondsUntilRefresh } from "~/features/auth/session/keep/refresh-time";
import { useKeptSession } from "~/features/auth/session/keep/use-kept-session";
import { sessionMiddleware } from "~/features/auth/session/session.server";
import { ownShell } from "~/http/route-handle";
import { pageTitle } from "~/seo/page-meta";
import { ConsoleError } from "~/ui/console/console-error";
import { Shell } from "~/ui/console/shell";
import type { Route } from "./+types/layout";

export const meta: Route.MetaFunction = ({ error }) => [
  { title: pageTitle(isRouteErrorResponse(error) ? String(error.status) : "Dashboard") },
  { name: "robots", content: "noindex" },
];

export const handle = ownShell;

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware, requireUser];

export function loader({ context }: Route.LoaderArgs) {
  const { email, expiresAt } = context.get(userContext);
  return { email, askIn: secondsUntilRefresh(expiresAt) };
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  useKeptSession(loaderData.askIn);
  return (
    <Shell email={loaderData.email}>
      <Outlet />
    </Shell>
  );
}

/**
 * In place of any page of the console that failed. An expected failure is thrown as `data(sentence, { status })`, whose
 * sentence says what happened and what is safe.
 */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <Shell email={loaderData?.email}>
      <ConsoleError error={error} />
    </Shell>
  );
}
