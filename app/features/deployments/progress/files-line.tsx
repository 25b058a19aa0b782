import { useMay } from "~/features/workspaces/roles";
import { TextLink } from "~/ui/primitives/text-link";
import { DownloadForm } from "./download-form";
import { type FormPlace, Mark, StateWords } from "./step";
import type { StepsView } from "./steps-view.server";

/** The download, whose tick does not decide whether the VM is there. */
export function FilesLine({
  view,
  here,
  quotaRefusal,
  ...forms
}: FormPlace & { view: StepsView; here: string; quotaRefusal: string | undefined }) {
  const { files } = view.states;
  const [mayDescribe, mayDownload] = [useMay("describe"), useMay("download")];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      {mayDownload ? (
        view.secretsInBrowser ? (
          <TextLink to={`${here}#secrets`}>Make the zip in this browser</TextLink>
        ) : (
          <DownloadForm
            view={view}
            use="new-machine"
            // The one button of the page until a server is connected.
            {...(view.hasConnected ? { variant: "secondary" } : {})}
            quotaRefusal={quotaRefusal}
          >
            {view.hasConnected ? "Files for a new machine" : "Download the files"}
          </DownloadForm>
        )
      ) : null}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span>Files</span>
        <StateWords state={files} isNext={false} />
        {mayDescribe ? <Mark step="files" state={files} {...forms} /> : null}
      </div>
    </div>
  );
}
