import { sessionContext, sessionMiddleware } from "~/auth/session.server";
import { notSignedIn, signInUnavailable } from "~/auth/sign-in-problems";
import { changeOwn, longestOwnForm, ownUnreadable } from "~/model-configuration/own-changes.server";
import { readOwn } from "~/model-configuration/own-view.server";
import { apiError } from "~/request/api-answers";
import { readLongForm } from "~/request/form.server";
import { requestContext } from "~/request/request-context";
import type { Route } from "./+types/own";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/** The visitor's configuration with its versions, and their tokens. */
export async function loader({ context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const { state } = await session.visitor();
  if (state === "signed-out") return apiError(401, notSignedIn);
  if (state === "unavailable") return apiError(503, signInUnavailable);
  const own = await readOwn(session, context.get(requestContext).requestId);
  return own ? Response.json(own) : apiError(503, ownUnreadable);
}

export async function action({ request, context }: Route.ActionArgs) {
  const asking = {
    asked: context.get(requestContext),
    session: context.get(sessionContext),
    request,
  };
  const outcome = await changeOwn(asking, await readLongForm(request, longestOwnForm));
  return Response.json(outcome, { status: outcome.ok ? 200 : outcome.status });
}
