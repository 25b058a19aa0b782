import type { MouseEvent } from "react";
import { useFetcher } from "react-router";
import { useConsoleBase } from "~/ui/console/console-path";
import { LinkButton } from "~/ui/primitives/button";
import type { StepsView } from "./steps-view.server";

/**
 * Downloads the bundle, which ticks its step where script runs. There the zip is fetched, because a browser does not tell
 * when a download has ended. To open the zip's address alone changes nothing.
 */
export function DownloadLink({
  view: { id, version, zipName },
  variant,
  children,
}: {
  view: StepsView;
  variant?: "secondary";
  children: string;
}) {
  const { submit } = useFetcher();
  const base = useConsoleBase();
  const here = `${base}/deployments/${id}`;
  const address = `${here}/bundle.zip?version=${version}`;

  async function download(event: MouseEvent) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (import.meta.env.SSR) return;
    event.preventDefault();
    const { fetchZip } = await import("./fetch-zip.client");
    if (await fetchZip(address, zipName)) {
      const tick = { intent: "progress", step: "files", done: "yes", seen: "yes", version };
      void submit(tick, { method: "post", action: here });
    }
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
