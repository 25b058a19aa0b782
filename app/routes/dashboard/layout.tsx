import { data, Form, NavLink, Outlet, redirect } from "react-router";
import { secondsUntilRefresh } from "~/auth/refresh-time";
import { sessionContext, sessionMiddleware } from "~/auth/session.server";
import { signInUnavailable } from "~/auth/sign-in-problems";
import { useKeptSession } from "~/auth/use-kept-session";
import { Button } from "~/components/button";
import { Message } from "~/components/message";
import { keepForm } from "~/deployments/wizard/kept-form.server";
import { requestContext } from "~/request/request-context";
import type { Route } from "./+types/layout";

export const meta: Route.MetaFunction = () => [
  { title: "Dashboard · LiveKit Deploy" },
  { name: "robots", content: "noindex" },
];

/** The guard of everything under /dashboard, actions included. */
const requireSignIn: Route.MiddlewareFunction = async ({ request, context }, next) => {
  const { state } = await context.get(sessionContext).visitor();
  if (state === "signed-in") return;
  const asked = context.get(requestContext);
  const kept =
    request.method === "GET" ? undefined : await keepForm(asked, request.clone() as Request);
  if (state === "unavailable") {
    const response = await next();
    if (kept) response.headers.append("set-cookie", kept);
    return response;
  }
  throw redirect(`/signin?${new URLSearchParams({ next: addressOf(request) })}`, {
    headers: kept ? { "set-cookie": kept } : {},
  });
};

/** The page that a request belongs to, to come back to: a form posts to the page it is on. */
function addressOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.replace(/\.data$/, "");
  if (request.method !== "GET" && !path.startsWith("/dashboard/deployments")) return "/dashboard";
  for (const internal of ["index", "_routes"]) searchParams.delete(internal);
  return searchParams.size > 0 ? `${path}?${searchParams}` : path;
}

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware, requireSignIn];

export async function loader({ context }: Route.LoaderArgs) {
  const visitor = await context.get(sessionContext).visitor();
  const available = visitor.state === "signed-in";
  const askIn = available ? secondsUntilRefresh(visitor.expiresAt) : undefined;
  return data({ available, askIn }, { status: available ? 200 : 503 });
}

export default function Dashboard({ loaderData }: Route.ComponentProps) {
  useKeptSession(loaderData.askIn);
  return (
    <div className="page py-10">
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line pb-4">
        <nav aria-label="Console" className="flex gap-4 sm:gap-6">
          <ConsoleLink to="/dashboard" end>
            Overview
          </ConsoleLink>
          <ConsoleLink to="/dashboard/deployments">Deployments</ConsoleLink>
          <ConsoleLink to="/dashboard/account">Account</ConsoleLink>
        </nav>
        <Form method="post" action="/signout" reloadDocument>
          <Button type="submit" look="quiet" className="max-sm:px-0">
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
