import { data, Form, NavLink, Outlet, redirect } from "react-router";
import { codePage, pageOf, signInPage } from "~/features/auth/guard/page-addresses";
import { secondsUntilRefresh } from "~/features/auth/session/keep/refresh-time";
import { useKeptSession } from "~/features/auth/session/keep/use-kept-session";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { signInUnavailable } from "~/features/auth/session/sign-in-problems";
import { pageTitle } from "~/seo/page-meta";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { Route } from "./+types/layout";

export const meta: Route.MetaFunction = () => [
  { title: pageTitle("Dashboard") },
  { name: "robots", content: "noindex" },
];

/**
 * Only somebody who is signed in, with the second factor where there is one, reads these pages. Around the
 * answer to a post this is not asked again: the guard of actions has led away whoever is signed out, and
 * whoever owes the second factor except on the page that takes it.
 */
const requireSignIn: Route.MiddlewareFunction = async ({ request, context }) => {
  if (request.method !== "GET") return;
  const { state } = await context.get(sessionContext).visitor();
  const page = pageOf(request);
  if (state === "signed-out") throw redirect(signInPage(page));
  const givesCode = page.split("?")[0] === "/dashboard/account/code";
  if (state === "second-factor-due" && !givesCode) throw redirect(codePage(page));
};

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware, requireSignIn];

export async function loader({ context }: Route.LoaderArgs) {
  const visitor = await context.get(sessionContext).visitor();
  const askIn = "expiresAt" in visitor ? secondsUntilRefresh(visitor.expiresAt) : undefined;
  const available = askIn !== undefined;
  return data({ available, askIn }, { status: available ? 200 : 503 });
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  useKeptSession(loaderData.askIn);
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
      {loaderData.available ? (
        <Outlet />
      ) : (
        <Message kind="failure" className="mt-8">
          {signInUnavailable}
        </Message>
      )}
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
