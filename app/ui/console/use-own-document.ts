import { useEffect } from "react";

/**
 * Loads a page with permissions of its own (`pagePermissions`) again where the router came to it within the document of
 * another page, whose headers allow less. Links to it say `reloadDocument`; this is for Back and Forward.
 */
export function useOwnDocument(): void {
  useEffect(() => {
    const [document] = performance.getEntriesByType("navigation");
    const { pathname, search } = location;
    if (document && new URL(document.name).pathname !== pathname) {
      // `reload` would be stopped: app/ui/chrome/step-after-deploy.client.ts.
      location.replace(pathname + search);
    }
  }, []);
}
