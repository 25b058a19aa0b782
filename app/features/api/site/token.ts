import * as tokens from "~/http/bearer-token";

const kind: tokens.TokenKind = { prefix: "lkd_w_", purpose: "tokens of workspaces" };

/** A new token of a workspace: `lkd_w_` and 43 letters and digits. */
export const newWorkspaceToken = (secrets: tokens.TokenSecrets): Promise<string> =>
  tokens.newBearerToken(kind, secrets);

/** The hash of the token in an Authorization header; undefined where it is none that was made here. */
export async function tokenHashIn(
  authorization: string | null,
  secrets: tokens.TokenSecrets,
): Promise<string | undefined> {
  const token = tokens.tokenIn(kind, authorization);
  if (token === undefined || !(await tokens.isMadeHere(kind, token, secrets))) return;
  return tokens.hashOf(token);
}
