import type { PrincipalScope } from "~/features/auth/session/principal.server";
import type { ServerView } from "~/features/servers/fleet/server-view";
import { roleChanged } from "~/features/workspaces/roles";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { maskedAddress } from "./channels/channel-words";
import { orUndefined } from "./fleets.server";
import { noteAlertChange } from "./note-alert-change.server";

/** Who asks, and the workspace whose servers they are. */
type Scope = PrincipalScope & { workspace: { id: string } };

/** The forms of a server's page. */
export type ServerIntent = "allow" | "refuse" | "disconnect";

export type ServerRefusal = { ok: false; status: 403 | 404 | 503; message: string };

/** What the audit log calls each change; the content of its page has words for them. */
export const serverActions = [
  "server.token-made",
  "server.place-allowed",
  "server.place-refused",
  "server.disconnected",
] as const;

type Noted = {
  action: (typeof serverActions)[number];
  target: string;
  targetId: string;
  after?: Record<string, string | number>;
};

const notChanged =
  "Your servers cannot be reached from here right now. Nothing was changed. Please try again in a moment.";
const refused = (status: ServerRefusal["status"], message: string): ServerRefusal => ({
  ok: false,
  status,
  message,
});

/** For how long a token lets a machine introduce itself, in hours. */
const tokenHours = 72;

/** How many machines may come with a bundle: the VM may have to be made again. A typed token is for one. */
const uses = { bundle: 3, typed: 1 } as const;

export type MadeToken = { token: string; ends: string };

/**
 * A token by which machines made from this version introduce themselves. It is shown or handed out once. `domain`: where
 * its LiveKit answers.
 */
export async function makeEnrolmentToken(
  scope: Scope,
  deployment: { id: string; name: string; version: number; domain: string | undefined },
  way: keyof typeof uses,
): Promise<({ ok: true } & MadeToken) | ServerRefusal> {
  const noted = await note(scope, {
    action: "server.token-made",
    target: deployment.name,
    targetId: deployment.id,
    after: { version: deployment.version, machines: uses[way] },
  });
  if (!noted.ok) return noted;
  const { user } = scope.principal;
  const made = await orUndefined(
    scope.context.bindings.FLEETS.makeToken({
      workspace: scope.workspace.id,
      deployment: deployment.id,
      version: deployment.version,
      ...(deployment.domain === undefined ? {} : { domain: deployment.domain }),
      uses: uses[way],
      hours: tokenHours,
      ...(user.emailVerified ? { maker: { person: user.id, address: user.email } } : {}),
    }),
  );
  if (!made) return refused(503, notChanged);
  if (made.firstChannel) {
    const target = `Mail to ${maskedAddress(user.email)}`;
    await noteAlertChange(scope, {
      ...{ action: "channel.added", target, targetId: made.firstChannel },
      after: { turn: "first" },
    });
  }
  return { ok: true, token: made.token, ends: new Date(made.ends).toISOString() };
}

/** Lets the machine that asks take the place of the server, or refuses it. */
export async function answerRequest(
  scope: Scope,
  { id, name }: ServerView,
  isAllowed: boolean,
): Promise<{ ok: true } | ServerRefusal> {
  const action = isAllowed ? "server.place-allowed" : "server.place-refused";
  const noted = await note(scope, { action, target: name, targetId: id });
  if (!noted.ok) return noted;
  return done(scope.context.bindings.FLEETS.answerRequest(scope.workspace.id, id, isAllowed));
}

/** Ends the key of a server. The machine goes on as before, and what it reported stays. */
export async function disconnectServer(
  scope: Scope,
  { id, name }: ServerView,
): Promise<{ ok: true } | ServerRefusal> {
  const noted = await note(scope, { action: "server.disconnected", target: name, targetId: id });
  if (!noted.ok) return noted;
  return done(scope.context.bindings.FLEETS.retire(scope.workspace.id, id));
}

async function done(call: Promise<unknown>): Promise<{ ok: true } | ServerRefusal> {
  const answer = await orUndefined(call.then(() => true));
  return answer ? { ok: true } : refused(503, notChanged);
}

/** Writes the line of the audit log first: whatever is done is in it. The database asks for the role once more. */
async function note(
  { context, principal, workspace }: Scope,
  { action, target, targetId, after }: Noted,
): Promise<{ ok: true } | ServerRefusal> {
  const { data, error } = await serviceClient(context.configuration, context.caller).rpc(
    "note_server_change",
    {
      actor: principal.user.id,
      workspace: workspace.id,
      action,
      target,
      target_id: targetId,
      ...(after ? { after } : {}),
    },
  );
  if (error) {
    log.error("A change of a server was not noted", describeError(error));
    return refused(503, notChanged);
  }
  return data ? { ok: true } : refused(403, roleChanged);
}
