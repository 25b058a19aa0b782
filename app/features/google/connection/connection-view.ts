/** What a browser is told of a connection: everything but the token. */
export type ConnectionView = {
  /** Undefined without a connection. */
  connected?: { email: string; scopes: readonly string[] };
  /** The person at our site. */
  owner: string;
};

/** What the browser gets for pressing "Connect": where to go, or why not. */
export type ConnectAnswer =
  | { url: string }
  | { error: string; link?: { href: string; words: string } };

/** What became of pressing "Disconnect"; a refusal, with its `error` alone, left the connection. */
export type Disconnected = { isDisconnected?: boolean; error?: string };

/** Why a consent ended without a connection. The key travels in the URL, the words do not. */
export type ConsentProblem = "cancelled" | "expired" | "other-account" | "unavailable";
