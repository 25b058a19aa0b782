import { createContext, useContext } from "react";
import { firstPaintScript } from "./theme";

/** The mark of a script that we rendered; only the server knows it, and only while it renders. */
export const NonceContext = createContext<string | undefined>(undefined);

/**
 * The inline script that sets the theme before anything is painted. It is in every page's HTML, so the
 * pages' own scripts do without it: React leaves what the server has written.
 */
export function FirstPaint() {
  return (
    <script
      nonce={useContext(NonceContext)}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours; it must run before the first paint
      dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? firstPaintScript.trim() : "" }}
    />
  );
}
