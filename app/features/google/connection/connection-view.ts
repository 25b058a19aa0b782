/** What is sent to a browser about a connection: everything but the token. */
export type ConnectionView = {
  /** Undefined without a connection. */
  connected?: { email: string; scopes: readonly string[] };
  /** The person at our site. */
  owner: string;
};

/** Answers with the connection, and takes "Connect" and "Disconnect". */
export const connectionAddress = "/google-services/connection";

/** The answer to "Connect": where Google asks for the permissions, or why nobody can be sent there. */
export type ConnectAnswer =
  | { url: string }
  | { error: string; link?: { href: string; words: string } };

/** The answer to "Disconnect". Without `isDisconnected` it was refused, and the connection is as it was. */
export type DisconnectAnswer = { isDisconnected?: boolean; error?: string };

/** Why a consent ended without a connection. The key travels in the URL, the words do not. */
export type ConsentProblem = "cancelled" | "expired" | "other-account" | "unavailable";
