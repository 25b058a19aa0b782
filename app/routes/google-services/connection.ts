import { googleTools } from "~/content/google-tools";
import { identitiesSection } from "~/features/account/connecting.server";
import { guarded } from "~/features/auth/guard/guarded-action.server";
import { apiRefusal } from "~/features/auth/session/api-refusal";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { signInUnavailable } from "~/features/auth/session/sign-in-problems";
import type {
  ConnectAnswer,
  ConnectionView,
  Disconnected,
} from "~/features/google/connection/connection-view";
import { startConsent } from "~/features/google/connection/consent.server";
import { readConnection } from "~/features/google/connection/google-connection.server";
import { revokeToken } from "~/features/google/connection/token-facts.server";
import { apiError } from "~/http/api-answers";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body/form.server";
import { removalOf } from "~/http/cookies/site-cookies";
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
  const connection = await readConnection(context.get(appContext), request, visitor.userId);
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
    const app = context.get(appContext);
    const form = await readForm(request);
    if (form.get("intent") === "disconnect") {
      const connection = await readConnection(app, request, user.id);
      const headers = { "set-cookie": removalOf("google-connection") };
      const revoked = !connection || (await revokeToken(app, connection.token));
      const end: Disconnected = { isDisconnected: true, ...(!revoked && { error: notRevoked }) };
      return Response.json(end, { status: revoked ? 200 : 502, headers });
    }
    const tool = googleTools.find(({ id }) => id === form.get("tool"));
    const tab = tool?.tabs.find(({ id }) => id === form.get("tab"));
    if (form.get("intent") !== "connect" || !tool || !tab) {
      return apiError(400, "Say which tool to connect.");
    }
    const start = await startConsent(app, account, {
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
