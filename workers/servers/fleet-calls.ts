import { keySecrets } from "~/features/servers/ingest/credentials.server";
import { newTicket, type PageSession } from "~/features/servers/live/endpoint.server";

/** The fleet of a workspace that the site has found its caller to be a member of. */
export function fleetOf(env: ServersEnv, workspace: string) {
  return answeringData(env.FLEETS.getByName(workspace));
}

/** What is stored of the sessions of a server that is known to be the workspace's. */
export function historyOf(env: ServersEnv, server: string) {
  return answeringData(env.HISTORIES.getByName(server));
}

export function webhooksOf(env: ServersEnv, workspace: string) {
  return answeringData(env.WEBHOOKS.getByName(workspace));
}

/** With which the page of a session opens its socket; `now` in milliseconds since 1970. */
export function ticketOf(
  env: ServersEnv,
  workspace: string,
  pageSession: PageSession,
  now: number,
): Promise<string> {
  return newTicket(keySecrets(env), { workspace, ...pageSession }, now);
}

type Method = (...given: unknown[]) => Promise<unknown>;

/**
 * The same object, whose answers are data alone. The runtime puts a disposer on each answer; handed on with it, the answer
 * would hold the invocation here open until the site disposed of it too.
 */
function answeringData<Stub extends object>(stub: Stub): Stub {
  const methods = stub as Record<string | symbol, Method | undefined>;
  return new Proxy(stub, {
    get(_, name) {
      // There is none that is called `then`: a stub is no promise.
      if (!methods[name]) return;
      return async (...given: unknown[]) => withoutDisposer(await methods[name]?.(...given));
    },
  });
}

function withoutDisposer(answer: unknown): unknown {
  if (typeof answer === "object" && answer !== null) Reflect.deleteProperty(answer, Symbol.dispose);
  return answer;
}
