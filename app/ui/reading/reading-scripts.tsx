import pageScript from "virtual:page-script";
import { useContext } from "react";
import { RenderContext } from "~/ui/chrome/first-paint";

/** Pages that share a pattern. */
const families = ["/docs/:page", "/blog/:slug"];

/**
 * What a page that only reads has instead of React. Its rules let browsers fetch the next page when somebody points
 * at a link to it, as React Router does where it runs. Only what the page cache answers is fetched so: nothing else
 * may be asked for before somebody wants it.
 */
export function ReadingScripts({ publicPages }: { publicPages: readonly string[] }) {
  const where = {
    and: [
      { href_matches: [...publicPages, ...families] },
      // These lead to places on the page that is there already.
      { not: { selector_matches: "[href^='#']" } },
    ],
  };
  return (
    <>
      <script type="module" src={pageScript} />
      <script
        type="speculationrules"
        nonce={useContext(RenderContext)?.nonce}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON of our own paths
        dangerouslySetInnerHTML={{
          __html: JSON.stringify({ prefetch: [{ where, eagerness: "moderate" }] }),
        }}
      />
    </>
  );
}
