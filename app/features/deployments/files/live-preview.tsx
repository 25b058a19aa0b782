import { type ComponentType, useState } from "react";
import { Button } from "~/ui/primitives/button";
import type { Previewed } from "./preview-panel";

/**
 * The files that choices make and what they change, made in the browser: the generator is loaded
 * when somebody asks for it. Without script the deployment's page shows the same.
 */
export function LivePreview(previewed: Previewed) {
  const [loaded, setLoaded] = useState<{ Panel: ComponentType<Previewed> } | "failed">();

  async function load() {
    // Only a browser presses buttons; saying so keeps these files out of the Worker.
    if (import.meta.env.SSR) return;
    const module = await import("./preview-panel").catch(() => undefined);
    setLoaded(module ? { Panel: module.PreviewPanel } : "failed");
  }

  if (loaded && loaded !== "failed") return <loaded.Panel {...previewed} />;
  return (
    <div className="border-t border-line pt-6 not-scripted:hidden">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button variant="secondary" onClick={load}>
          Preview the files
        </Button>
        <p className="text-sm text-ink-soft">What these choices make of them. Saves nothing.</p>
      </div>
      {loaded === "failed" ? (
        <p role="alert" className="mt-2 text-sm text-failure">
          The preview could not be loaded. Please try again.
        </p>
      ) : null}
    </div>
  );
}
