import { data } from "react-router";
import { googleTools } from "~/content/google-tools";
import { guarded } from "~/features/auth/guard.server";
import { googleToken } from "~/features/google/connection/google-connection.server";
import { operationOf } from "~/features/google/operations.server";
import { googleClient } from "~/features/google/tools/google-api.server";
import type { OperationResult } from "~/features/google/tools/operation";
import { methodNotAllowed } from "~/http/answers";
import { appContext } from "~/http/app-context";
import { discardUnread, readBody } from "~/http/body.server";
import { removalOf } from "~/http/cookies";
import type { Route } from "./+types/call";

/** In bytes. The longest form is a document of 500,000 characters, each of which takes at most 9 bytes. */
const largestForm = 5 * 1024 * 1024;

export function loader() {
  return methodNotAllowed("POST");
}

/** Carries out the operation of one tab with the posted form, as the connected Google account. */
export const action = guarded({
  async refused({ status, message }, { request }: Route.ActionArgs) {
    // The body is discarded while it arrives, so that it is not kept in memory.
    await discardUnread(request, largestForm);
    return answer({ ...refusal(status, message), ...(status === 429 && { retryAfter: 60 }) });
  },
  async allowed({ request, context, params }: Route.ActionArgs, { user }) {
    const app = context.get(appContext);
    const tool = googleTools.find(({ id }) => id === params.tool);
    const operation = operationOf(params.tool, params.tab);
    if (!tool || !operation) return answer(refusal(404, "There is no such tool."));
    const body = await readBody(request, largestForm);
    if (body === undefined) return answer(refusal(413, "This is too long. Shorten it, please."));
    const token = await googleToken(app, request, { userId: user.id, scopes: tool.scopes });
    if (token.state !== "connected") {
      const words =
        token.state === "missing"
          ? "The connection to Google has ended: it lasts an hour. Connect again: what you typed stays here."
          : "Google was not given every permission for this. Connect again and allow it: what you typed stays here.";
      return answer({ ...refusal(403, words), consent: true });
    }
    const { connection } = token;
    const google = googleClient(app.configuration, {
      token: connection.token,
      email: connection.email,
    });
    return answer(await operation(new URLSearchParams(body), google));
  },
});

function refusal(status: Extract<OperationResult, { ok: false }>["status"], message: string) {
  return { ok: false, status, message } as const;
}

function answer(outcome: OperationResult) {
  if (outcome.ok) return data(outcome);
  const headers = new Headers();
  if (outcome.retryAfter) headers.set("retry-after", String(outcome.retryAfter));
  // Google no longer accepts the token, so the connection is removed.
  if (outcome.status === 401 && outcome.consent)
    headers.set("set-cookie", removalOf("google-connection"));
  return data(outcome, { status: outcome.status, headers });
}
