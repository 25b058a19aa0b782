import type { FormEvent } from "react";
import { Form, useFetcher } from "react-router";
import { useMay } from "~/features/workspaces/use-may";
import { useConsoleBase } from "~/ui/console/console-path";
import { Button } from "~/ui/primitives/button";
import type { StepsView } from "./steps-view.server";

/**
 * Downloads the bundle, which ticks its step where script runs. There the zip is fetched, because a browser does not tell
 * when a download has ended. Unless somebody takes the choice back, the files hold a token, so that the server connects to
 * the console; without `asks` that is not asked.
 */
export function DownloadForm({
  view: { id, version, zipName, connects },
  asks = false,
  variant,
  children,
}: {
  view: StepsView;
  asks?: boolean;
  variant?: "secondary";
  children: string;
}) {
  const { submit } = useFetcher();
  const base = useConsoleBase();
  const mayConnect = useMay("servers") && connects;
  const here = `${base}/deployments/${id}`;
  const address = `${here}/bundle.zip`;

  async function download(event: FormEvent<HTMLFormElement>) {
    if (import.meta.env.SSR) return;
    event.preventDefault();
    const form = event.currentTarget;
    const { fetchZip } = await import("./fetch-zip.client");
    if (await fetchZip(address, new FormData(form), zipName)) {
      const tick = { intent: "progress", step: "files", done: "yes", seen: "yes", version };
      void submit(tick, { method: "post", action: here });
    }
    // The browser then shows what the server says.
    else form.submit();
  }

  return (
    <Form
      method="post"
      action={address}
      reloadDocument
      onSubmit={download}
      className="flex flex-wrap items-center gap-x-4 gap-y-2"
    >
      <input type="hidden" name="version" value={version} />
      <Button type="submit" variant={variant ?? "primary"}>
        {children}
      </Button>
      {mayConnect && asks ? (
        <label className="flex min-h-6 items-center gap-2 text-sm">
          <input
            type="checkbox"
            name="connect"
            value="yes"
            defaultChecked
            className="size-4 accent-signal"
          />
          Connect to the console
        </label>
      ) : null}
      {mayConnect && !asks ? <input type="hidden" name="connect" value="yes" /> : null}
    </Form>
  );
}
