import "~/features/audit/page/start-audit.client";
import "~/features/move-in/from-audit.client";
import "~/features/marketing/home/boot-panel.client";
import "~/features/marketing/home/boot-strip.client";
import "~/ui/chrome/header.client";
import "~/ui/reading/addressed-answer.client";
import "~/ui/reading/copy-code.client";
import "~/ui/reading/copy-page.client";
import "~/ui/reading/search/search.client";
import "~/ui/reading/sizing/start-calculator.client";

// All the script of a page that only reads, made into one file by `scripts/vite/page-script.ts`. Pages with React
// have the imported modules within its files.

const { pathname } = location;

// React Router adds entries to the history without a new document. Going back from one that was loaded anew changes
// the address, and the page stays: it has to be loaded. A press on a link to a heading fires the event too, and
// the calculator changes what stands behind the path: both leave the page as it is.
addEventListener("popstate", () => {
  if (location.pathname !== pathname) location.reload();
});
