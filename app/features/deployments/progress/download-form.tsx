import { type ComponentProps, type FormEvent, use, useId, useState } from "react";
import { Form, useFetcher } from "react-router";
import { trialDownload } from "~/content/trial";
import { InTrialContext, useMay } from "~/features/workspaces/roles";
import { useConsoleBase } from "~/ui/console/console-path";
import { Button, LinkButton } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { StepsView } from "./steps-view.server";

/** The download of the bundle; in a trial, which reads each of the files, the way to an account instead. */
export function DownloadForm(props: ComponentProps<typeof ZipForm>) {
  if (!use(InTrialContext)) return <ZipForm {...props} />;
  if (props.use === "apply") return null;
  return (
    <LinkButton to="/signup" variant={props.variant ?? "primary"}>
      {trialDownload}
    </LinkButton>
  );
}

/**
 * Downloads the bundle, which ticks its step where script runs. There the zip is fetched, because a browser does not
 * report when a download has ended. Files for a new machine hold a token, so that the server connects to the console,
 * unless somebody takes that back; those for apply are read only, and nothing is made.
 */
function ZipForm({
  view: { id, version, zipName, applyZipName, connects },
  use,
  quotaRefusal,
  variant,
  children,
}: {
  view: StepsView;
  use: "new-machine" | "apply";
  /** Why no further server can be connected. */
  quotaRefusal?: string | undefined;
  variant?: "secondary";
  children: string;
}) {
  const { submit } = useFetcher();
  const [failure, setFailure] = useState<string>();
  const [isFetching, setIsFetching] = useState(false);
  const base = useConsoleBase();
  const isForApply = use === "apply";
  const hasBox = useMay("servers") && connects && !isForApply;
  const makesToken = hasBox && quotaRefusal === undefined;
  const here = `${base}/deployments/${id}`;
  const address = `${here}/bundle.zip`;

  async function download(event: FormEvent<HTMLFormElement>) {
    if (import.meta.env.SSR) return;
    event.preventDefault();
    if (isFetching) return;
    // As the browser sends it: the guards read no other encoding.
    const fields = new URLSearchParams();
    for (const [field, value] of new FormData(event.currentTarget)) {
      if (typeof value === "string") fields.append(field, value);
    }
    setFailure(undefined);
    setIsFetching(true);
    const { fetchZip } = await import("./fetch-zip.client");
    const refused = makesToken
      ? await fetchZip(address, { method: "POST", body: fields }, zipName)
      : await fetchZip(`${address}?${fields}`, {}, isForApply ? applyZipName : zipName);
    setIsFetching(false);
    setFailure(refused);
    if (refused !== undefined) return;
    const tick = { intent: "progress", step: "files", done: "yes", seen: "yes", version };
    void submit(tick, { method: "post", action: here });
  }

  return (
    <Form
      method={makesToken ? "post" : "get"}
      action={address}
      reloadDocument
      onSubmit={download}
      className="print:hidden flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2"
    >
      <input type="hidden" name="version" value={version} />
      {isForApply ? <input type="hidden" name="for" value="apply" /> : null}
      <Button type="submit" variant={variant ?? "primary"}>
        {children}
      </Button>
      {hasBox ? <ConnectBox quotaRefusal={quotaRefusal} /> : null}
      {failure === undefined ? null : (
        <Message kind="failure" className="w-full">
          {failure}
        </Message>
      )}
    </Form>
  );
}

function ConnectBox({ quotaRefusal }: { quotaRefusal: string | undefined }) {
  const reason = useId();
  const isAllowed = quotaRefusal === undefined;
  return (
    <div className="min-w-0 text-sm">
      <label className={`flex min-h-6 items-center gap-2 ${isAllowed ? "" : "text-ink-soft"}`}>
        <input
          // The plan may be full since: the same box would stay ticked.
          key={isAllowed ? "open" : "full"}
          type="checkbox"
          name="connect"
          value="yes"
          defaultChecked={isAllowed}
          disabled={!isAllowed}
          aria-describedby={isAllowed ? undefined : reason}
          className="size-4 shrink-0 accent-signal"
        />
        Connect this server to the console: it reports here each minute
      </label>
      {isAllowed ? null : (
        <p id={reason} className="mt-1 max-w-prose">
          {quotaRefusal}
        </p>
      )}
    </div>
  );
}
