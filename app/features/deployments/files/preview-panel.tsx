import { useMemo } from "react";
import { Card } from "~/ui/primitives/card";
import { bundle } from "../bundle/bundle";
import type { DeploymentOptions } from "../bundle/options/options";
import { scriptTexts } from "../bundle/script-files";
import { changesBetween } from "../record/changes";
import { BrowsedFiles } from "./browsed-files";
import { ChangesView } from "./changes-view";

export type Previewed = {
  options: DeploymentOptions;
  /** What they are compared with; absent when there is nothing earlier. */
  earlier: { options: DeploymentOptions; name: string } | undefined;
};

/** The files that choices make, and what they change in the earlier ones. */
export function PreviewPanel({ options, earlier }: Previewed) {
  const { files } = useMemo(() => bundle(options, scriptTexts), [options]);
  const changes = useMemo(
    () => earlier && changesBetween(bundle(earlier.options, scriptTexts).files, files),
    [earlier, files],
  );
  return (
    <section aria-labelledby="preview">
      <h2 id="preview" className="text-xl">
        The files these choices make
      </h2>
      <Card variant="strong" flush className="mt-4 overflow-hidden">
        <BrowsedFiles files={files} first="livekit.yaml" />
      </Card>
      {changes ? (
        <>
          <p role="status" className="mt-6 mb-4 text-ink-soft">
            {changes.length === 0
              ? `No file differs from ${earlier?.name}.`
              : `${changes.length === 1 ? "1 file differs" : `${changes.length} files differ`} from ${earlier?.name}.`}
          </p>
          <ChangesView changes={changes} />
        </>
      ) : null}
    </section>
  );
}
