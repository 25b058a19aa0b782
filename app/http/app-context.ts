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

/**
 * What one page may do in a browser beyond what all pages may. Its loader sets it, and the Worker writes it into the
 * headers of that document (`workers/headers/security-headers.ts`). A browser keeps the headers of a document while
 * the router shows other pages in it, so such a page is always loaded as a document of its own.
 */
export type PagePermissions = {
  /** The one host, without a port, to which its scripts may connect by HTTPS and WebSocket. */
  host?: string;
  /** Whether it may ask for the microphone. */
  microphone?: true;
  /** Whether it connects to this site and that host and to nobody else, whatever other pages load: it is a stranger's. */
  isAlone?: true;
  /** The origins whose pages may frame it. No other page of ours is ever framed. */
  framedBy?: readonly string[];
  /** Whether it plays sound that its scripts fetched from that host. */
  hasSound?: true;
};

export const pagePermissions = createContext<PagePermissions | null>(null);
