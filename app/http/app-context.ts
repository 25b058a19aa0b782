import { createContext } from "react-router";
import type { Caller } from "~/platform/caller";
import type { Configuration } from "~/platform/env/configuration.server";

/** What one request may use: the Worker puts it there, loaders and actions read it. */
export type AppContext = {
  configuration: Configuration;
  bindings: Env;
  caller: Caller;
  /** In every log line of the request, in its `X-Request-Id` header and on its error page. */
  requestId: string;
  /** Marks the scripts that we rendered; the Worker turns them into CSP hashes. */
  nonce: string;
  /** The path of every page that is the same for everybody, without those that have parameters. */
  publicPages: readonly string[];
  waitUntil(work: Promise<unknown>): void;
};

export const appContext = createContext<AppContext>();
