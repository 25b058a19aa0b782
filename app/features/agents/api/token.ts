import * as tokens from "~/http/bearer-token";

const kind: tokens.TokenKind = { prefix: "lkd_", purpose: "tokens for agents" };

/** What a call asks of its token. A token is for one of these or both; the database knows them by the same names. */
export type TokenScope = "configuration" | "usage";

/** A new token: `lkd_` and 43 letters and digits. */
export const newToken = (secrets: tokens.TokenSecrets): Promise<string> =>
  tokens.newBearerToken(kind, secrets);

/** Whether a token was made here, by its checksum. */
export const isMadeHere = (token: string, secrets: tokens.TokenSecrets): Promise<boolean> =>
  tokens.isMadeHere(kind, token, secrets);

/** SHA-256 in hexadecimal. */
export const hashOf = tokens.hashOf;

/** The token in an Authorization header; undefined when it is no token of ours. */
export const tokenIn = (authorization: string | null): string | undefined =>
  tokens.tokenIn(kind, authorization);
