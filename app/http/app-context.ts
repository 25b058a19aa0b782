import { createContext } from "react-router";
import type { Caller } from "~/platform/caller";
import type { Configuration } from "~/platform/env/configuration.server";

/** What one request may use. The Worker sets it; loaders and actions read it. */
export type AppContext = {
  configuration: Configuration;
  bindings: Env;
  caller: Caller;
  /** In every log line of the request, in its `X-Request-Id` header and on its error page. */
  requestId: string;
  /** Marks the inline scripts that we rendered. The Worker replaces it by their hashes in the content policy. */
  nonce: string;
  /** The path of every page that is the same for everybody, without those that have parameters. */
  publicPages: readonly string[];
  waitUntil(work: Promise<unknown>): void;
};

export const appContext = createContext<AppContext>();
