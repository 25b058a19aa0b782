import { guarded } from "~/access/guarded-action.server";
import { identitiesSection } from "~/account/connecting.server";
import { apiRefusal } from "~/auth/api-refusal";
import { sessionContext, sessionMiddleware } from "~/auth/session.server";
import { signInUnavailable } from "~/auth/sign-in-problems";
import { googleTools } from "~/content/google-tools";
import type {
  ConnectAnswer,
  ConnectionView,
  Disconnected,
} from "~/google/connection/connection-view";
import { startConsent } from "~/google/connection/consent.server";
import { readConnection } from "~/google/connection/google-connection.server";
import { revokeToken } from "~/google/connection/token-facts.server";
import { apiError } from "~/request/api-answers";
import { readForm } from "~/request/form.server";
import { requestContext } from "~/request/request-context";
import { removalOf } from "~/request/site-cookies";
import type { Route } from "./+types/connection";

const withoutIdentity: ConnectAnswer = {
  error: "Google is not among your ways to sign in yet.",
  link: { href: identitiesSection, words: "Connect it under Account" },
};

const notRevoked = "Disconnected here. Google did not answer: take the access back there too.";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/** What is connected, for the page that shows the tools. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const visitor = await context.get(sessionContext).visitor();
  if (visitor.state !== "signed-in") return apiRefusal(visitor.state);
  const connection = await readConnection(context.get(requestContext), request, visitor.userId);
  const view: ConnectionView = {
    owner: visitor.userId,
    ...(connection && { connected: { email: connection.email, scopes: connection.scopes } }),
  };
  return Response.json(view);
}

/**
 * `intent=connect` with `tool` and `tab` answers where Google asks for that tool's permissions;
 * `intent=disconnect` takes them back at Google and forgets the connection in any case.
 */
export const action = guarded({
  refused: ({ status, message }) => apiError(status, message),
  async allowed({ request, context }: Route.ActionArgs, { user, account }) {
    const asked = context.get(requestContext);
    const form = await readForm(request);
    if (form.get("intent") === "disconnect") {
      const connection = await readConnection(asked, request, user.id);
      const headers = { "set-cookie": removalOf("google-connection") };
      const revoked = !connection || (await revokeToken(asked, connection.token));
      const end: Disconnected = { isDisconnected: true, ...(!revoked && { error: notRevoked }) };
      return Response.json(end, { status: revoked ? 200 : 502, headers });
    }
    const tool = googleTools.find(({ id }) => id === form.get("tool"));
    const tab = tool?.tabs.find(({ id }) => id === form.get("tab"));
    if (form.get("intent") !== "connect" || !tool || !tab) {
      return apiError(400, "Say which tool to connect.");
    }
    const start = await startConsent(asked, account, {
      tool: tool.id,
      tab: tab.id,
      scopes: tool.scopes,
    });
    if (!start.ok && start.reason === "unavailable") return apiError(503, signInUnavailable);
    if (!start.ok) return Response.json(withoutIdentity, { status: 409 });
    const answer: ConnectAnswer = { url: start.url };
    return Response.json(answer, { headers: { "set-cookie": start.cookie } });
  },
});
