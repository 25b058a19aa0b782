import { LinkButton } from "~/ui/primitives/button";
import { DownloadForm } from "../progress/download-form";
import type { StepsView } from "../progress/steps-view.server";

/** What a deployment is called, where its server is, and the two things that are done with it most. */
export function DeploymentHeader({
  name,
  made,
  download,
  edit,
}: {
  name: string;
  /** Undefined where the choices no longer make a server. */
  made: { domain: string; place: readonly string[] } | undefined;
  /** Undefined where the zip is made elsewhere, or where the visitor may not have it. */
  download: StepsView | undefined;
  /** The path of the form; undefined where the visitor may not change the deployment. */
  edit: string | undefined;
}) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
      <div className="min-w-0">
        <h1 className="text-2xl break-words">{name}</h1>
        <p className="mt-2 font-mono text-sm wrap-anywhere text-ink-soft">
          {made ? <span className="text-ink">{made.domain}</span> : null}
          {made?.place.map((part) => (
            <span key={part}>
              <span aria-hidden="true"> · </span>
              {part}
            </span>
          ))}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        {download ? <DownloadForm view={download}>Download bundle</DownloadForm> : null}
        {edit ? (
          <LinkButton to={edit} variant="secondary">
            Edit
          </LinkButton>
        ) : null}
      </div>
    </div>
  );
}
