import { createContext } from "react-router";

/**
 * What one page may do in a browser beyond what all pages may. Its loader sets it, and the Worker writes it into the
 * headers of that document (`workers/headers/security-headers.ts`). A browser keeps the headers of a document while
 * the router shows other pages in it, so such a page is always loaded as a document of its own.
 */
export type PagePermissions = {
  /** The one host, without a port, to which its scripts may connect by HTTPS and WebSocket. */
  host: string;
  /** Whether it may ask for the microphone. */
  microphone: true;
};

export const pagePermissions = createContext<PagePermissions | null>(null);
