import { createContext, useContext } from "react";
import { firstPaintScript } from "./theme";

type Render = {
  /** The mark of a script that we rendered. */
  nonce: string;
  /** Set for a page that only reads (`isReading` of its route): the paths of all pages that are the same for everybody. */
  publicPages: readonly string[] | undefined;
};

/** What only the server knows, and only while it renders. */
export const RenderContext = createContext<Render | undefined>(undefined);

/**
 * The inline script that sets the theme before anything is painted. It is in every page's HTML, so the
 * pages' own scripts do without it: React leaves what the server has written.
 */
export function FirstPaint() {
  return (
    <script
      nonce={useContext(RenderContext)?.nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours; it must run before the first paint
      dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? firstPaintScript.trim() : "" }}
    />
  );
}
