import { networkKeys } from "~/http/network";

/** Who calls: a machine, or a page that asks for its socket. They do not use up each other's calls. */
type Caller = "machine" | "page";

/** Counts a call by the network that it comes from, whatever is in it. Returns whether it is within the limit. */
export async function withinNetworkLimit(
  request: Request,
  env: ServersEnv,
  caller: Caller,
): Promise<boolean> {
  const address = request.headers.get("cf-connecting-ip") ?? "unknown";
  // A call that is refused for its /64 must not use up the limit of its /48.
  for (const key of networkKeys(address)) {
    const { success } = await env.MACHINE_LIMIT.limit({ key: `${caller} ${key}` });
    if (!success) return false;
  }
  return true;
}

/**
 * Counts a call by who it names, wherever it comes from: a server, a token or a session, which we have found to be of
 * our making. Returns whether it is within the limit, so that what is sent in bulk costs no object anything.
 */
export async function withinCredentialLimit(
  env: ServersEnv,
  named: `${"server" | "token" | "session"} ${string}`,
): Promise<boolean> {
  const { success } = await env.CREDENTIAL_LIMIT.limit({ key: named });
  return success;
}
