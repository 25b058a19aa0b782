import { data, redirectDocument, type ShouldRevalidateFunctionArgs } from "react-router";
import { googleTools } from "~/content/google-tools";
import { identitiesSection } from "~/features/account/settings/connecting.server";
import { guarded } from "~/features/auth/guard.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { readRefusal, signInUnavailable } from "~/features/auth/session/sign-in-problems";
import type {
  ConnectAnswer,
  ConnectionView,
  DisconnectAnswer,
} from "~/features/google/connection/connection-view";
import { startConsent } from "~/features/google/connection/consent.server";
import { readConnection } from "~/features/google/connection/google-connection.server";
import { revokeToken } from "~/features/google/connection/token-facts.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import { removalOf } from "~/http/cookies";
import { readFailure } from "~/http/read";
import { answerOr } from "~/http/unreachable.client";
import type { Route } from "./+types/connection";

const withoutIdentity: ConnectAnswer = {
  error: "Google is not among your ways to sign in yet.",
  link: { href: identitiesSection, words: "Connect it under Account" },
};

const notRevoked = "Disconnected here. Google did not answer: take the access back there too.";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/** The connection, for the page with the tools. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const visitor = await context.get(sessionContext).visitor();
  if (visitor.state !== "signed-in") return readRefusal(visitor.state);
  const connection = await readConnection(context.get(appContext), request, visitor.userId);
  const view: ConnectionView = {
    owner: visitor.userId,
    ...(connection && { connected: { email: connection.email, scopes: connection.scopes } }),
  };
  return data(view);
}

/**
 * `intent=connect` with `tool` and `tab` answers the address at which Google asks for that tool's permissions.
 * `intent=disconnect` revokes them at Google, and forgets the connection even if Google does not answer.
 */
export const action = guarded({
  refused: ({ status, message }) => refusal(status, message),
  async allowed({ request, context }: Route.ActionArgs, { user, account }) {
    const app = context.get(appContext);
    const form = await readForm(request);
    if (form.get("intent") === "disconnect") {
      const connection = await readConnection(app, request, user.id);
      const headers = { "set-cookie": removalOf("google-connection") };
      const revoked = !connection || (await revokeToken(app, connection.token));
      const end: DisconnectAnswer = {
        isDisconnected: true,
        ...(!revoked && { error: notRevoked }),
      };
      return data(end, { status: revoked ? 200 : 502, headers });
    }
    const tool = googleTools.find(({ id }) => id === form.get("tool"));
    const tab = tool?.tabs.find((id) => id === form.get("tab"));
    if (form.get("intent") !== "connect" || !tool || !tab) {
      return refusal(400, "Say which tool to connect.");
    }
    const start = await startConsent(app, account, {
      tool: tool.id,
      tab,
      scopes: tool.scopes,
    });
    if (!start.ok && start.reason === "unavailable") return refusal(503, signInUnavailable);
    if (!start.ok) return data(withoutIdentity, { status: 409 });
    const answer: ConnectAnswer = { url: start.url };
    return data(answer, { headers: { "set-cookie": start.cookie } });
  },
});

function refusal(status: number, error: string) {
  const answer: ConnectAnswer & DisconnectAnswer = { error };
  return data(answer, { status, headers: { "cache-control": "no-store" } });
}

const noAnswer = "The site did not answer. Check your connection and try again.";

export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) =>
  answerOr(serverLoader(), readFailure(503, noAnswer));

/** Goes on to Google where the server says where; every other answer is for the screen. */
export async function clientAction({ serverAction }: Route.ClientActionArgs) {
  const answer = await answerOr(serverAction(), refusal(503, noAnswer));
  return "url" in answer ? redirectDocument(answer.url) : answer;
}

/** Only "Disconnect" changes the connection without leaving the page. */
export function shouldRevalidate({ formData }: ShouldRevalidateFunctionArgs) {
  return formData?.get("intent") === "disconnect";
}
