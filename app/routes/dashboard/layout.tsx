import type { ReactNode } from "react";
import { Form, isRouteErrorResponse, NavLink, Outlet, useLocation } from "react-router";
import { consoleErrorWords } from "~/content/console";
import { requireUser, userContext } from "~/features/auth/guard/require-user.server";
import { secondsUntilRefresh } from "~/features/auth/session/keep/refresh-time";
import { useKeptSession } from "~/features/auth/session/keep/use-kept-session";
import { sessionMiddleware } from "~/features/auth/session/session.server";
import { pageTitle } from "~/seo/page-meta";
import { Button, LinkButton } from "~/ui/primitives/button";
import { RequestId } from "~/ui/primitives/request-id";
import type { Route } from "./+types/layout";

export const meta: Route.MetaFunction = ({ error }) => [
  { title: pageTitle(isRouteErrorResponse(error) ? String(error.status) : "Dashboard") },
  { name: "robots", content: "noindex" },
];

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware, requireUser];

export function loader({ context }: Route.LoaderArgs) {
  return { askIn: secondsUntilRefresh(context.get(userContext).expiresAt) };
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  useKeptSession(loaderData.askIn);
  return (
    <Console>
      <Outlet />
    </Console>
  );
}

/**
 * In place of any page of the console that failed, with the navigation of the console around it. An expected
 * failure is thrown as `data(sentence, { status })`, whose sentence says what happened and what is safe.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { pathname, search } = useLocation();
  const { status, data } = isRouteErrorResponse(error) ? error : { status: 500, data: undefined };
  const words = status === 404 ? consoleErrorWords.missing : consoleErrorWords.failed;
  const isUnexpected = status === 500;
  return (
    <Console>
      <div className="max-w-prose pt-8">
        <p className="font-mono text-signal">{status}</p>
        <h1 className="mt-2 text-2xl">
          {isUnexpected ? consoleErrorWords.unexpected : words.title}
        </h1>
        <div role="alert">
          <p className="mt-4">
            {typeof data === "string" && data && status !== 404 ? data : words.says}
          </p>
          <p className="mt-2 text-ink-soft">{words.kept}</p>
        </div>
        {status === 404 ? null : <RequestId />}
        <div className="mt-8 flex flex-wrap gap-3">
          {status === 404 ? (
            <LinkButton to="/dashboard/deployments">{consoleErrorWords.deployments}</LinkButton>
          ) : (
            <LinkButton to={pathname + search} reloadDocument>
              {consoleErrorWords.again}
            </LinkButton>
          )}
          <LinkButton to="/support" variant="secondary">
            {consoleErrorWords.support}
          </LinkButton>
        </div>
      </div>
    </Console>
  );
}

function Console({ children }: { children: ReactNode }) {
  return (
    <div className="page py-10">
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line pb-4">
        <nav aria-label="Console" className="flex flex-wrap gap-x-4 sm:gap-x-6">
          <ConsoleLink to="/dashboard" end>
            Overview
          </ConsoleLink>
          <ConsoleLink to="/dashboard/deployments">Deployments</ConsoleLink>
          <ConsoleLink to="/dashboard/billing">Billing</ConsoleLink>
          <ConsoleLink to="/dashboard/account">Account</ConsoleLink>
        </nav>
        <Form method="post" action="/signout" reloadDocument>
          <Button type="submit" variant="quiet" className="max-sm:px-0">
            Sign out
          </Button>
        </Form>
      </div>
      {children}
    </div>
  );
}

function ConsoleLink(link: { to: string; end?: boolean; children: string }) {
  return (
    <NavLink
      className={({ isActive }) =>
        `inline-flex min-h-11 items-center border-b-2 ${
          isActive
            ? "border-b-signal font-strong"
            : "border-b-transparent text-ink-soft hover:text-ink"
        }`
      }
      {...link}
    />
  );
}
