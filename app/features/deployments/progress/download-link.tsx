import type { MouseEvent } from "react";
import { useRevalidator } from "react-router";
import { LinkButton } from "~/ui/primitives/button";
import type { StepsView } from "./steps-view.server";

/**
 * Downloads the bundle, which ticks its step. Where script runs, the zip is fetched, because a browser does not tell
 * when a download has ended: the page then reads the tick.
 */
export function DownloadLink({
  view: { id, zipName },
  variant,
  children,
}: {
  view: StepsView;
  variant?: "secondary";
  children: string;
}) {
  const { revalidate } = useRevalidator();
  const address = `/dashboard/deployments/${id}/bundle.zip`;

  async function download(event: MouseEvent) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (import.meta.env.SSR) return;
    event.preventDefault();
    const { fetchZip } = await import("./fetch-zip.client");
    if (await fetchZip(address, zipName)) void revalidate();
    // The browser then shows what the server says.
    else location.assign(address);
  }

  return (
    <LinkButton
      to={address}
      reloadDocument
      download={zipName}
      onClick={download}
      variant={variant ?? "primary"}
    >
      {children}
    </LinkButton>
  );
}
