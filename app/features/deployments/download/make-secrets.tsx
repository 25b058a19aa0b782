import { useState } from "react";
import { useFetcher } from "react-router";
import { Button } from "~/ui/primitives/button";
import { CopyButton } from "~/ui/primitives/copy-button";
import { Message } from "~/ui/primitives/message";
import type { Connection, Secrets } from "../bundle/bundle-types";
import type { DeploymentOptions } from "../bundle/options/options";
import { saveFile } from "./save-file";

type MadeSecrets = { secrets: Secrets } | { failed: true };

/** Makes the secrets and the zip in this browser, on request. Nothing of it is sent or stored. */
export function MakeSecrets({
  options,
  zipName,
  connection,
}: {
  options: DeploymentOptions;
  zipName: string;
  /** Undefined where machines have no console. */
  connection: Connection | undefined;
}) {
  const [outcome, setOutcome] = useState<MadeSecrets>();
  const secrets = outcome && "secrets" in outcome ? outcome.secrets : undefined;
  const { submit } = useFetcher();

  async function makeAndDownload() {
    try {
      const made = secrets ?? (await makeSecrets());
      await downloadZip({ options, secrets: made, name: zipName, connection });
      setOutcome({ secrets: made });
      const tick = { intent: "progress", step: "files", done: "yes" };
      void submit(tick, { method: "post", preventScrollReset: true });
    } catch {
      setOutcome({ failed: true });
    }
  }

  return (
    <>
      <p className="max-w-prose">
        Key, secret and Redis password are made here, in this browser, and go into the zip. They are
        never sent to us and not kept when you leave the page.
      </p>
      <Button onClick={makeAndDownload} className="mt-5">
        {secrets ? "Download the same zip again" : "Make the secrets and download the zip"}
      </Button>
      {outcome && "failed" in outcome ? (
        <Message kind="failure" className="mt-5">
          The zip could not be made. Nothing was sent. Please try again.
        </Message>
      ) : null}
      {secrets ? (
        <>
          <Message kind="success" className="mt-5">
            The zip was made in this browser. Keep it safe: it holds the secrets below.
          </Message>
          <dl className="mt-4 border-t border-line">
            <Secret name="API key" value={secrets.apiKey} />
            <Secret name="API secret" value={secrets.apiSecret} />
            {options.webhooks.length > 0 ? (
              <Secret name="Webhooks" value={secrets.webhookSecret} />
            ) : null}
          </dl>
        </>
      ) : null}
    </>
  );
}

function Secret({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 border-b border-line py-1">
      <dt className="w-24 shrink-0 text-sm text-ink-soft">{name}</dt>
      <dd className="min-w-0 grow font-mono text-sm break-all">{value}</dd>
      <dd>
        <CopyButton text={value} label={`Copy ${name}`} />
      </dd>
    </div>
  );
}

const onlyInBrowsers = "Secrets are made in browsers only";

async function makeSecrets(): Promise<Secrets> {
  if (import.meta.env.SSR) throw new Error(onlyInBrowsers);
  const module = await import("../bundle/secrets");
  return module.makeSecrets((bytes) => crypto.getRandomValues(bytes));
}

async function downloadZip({
  options,
  secrets,
  name,
  connection,
}: {
  options: DeploymentOptions;
  secrets: Secrets;
  name: string;
  connection: Connection | undefined;
}) {
  if (import.meta.env.SSR) throw new Error(onlyInBrowsers);
  const [{ bundle }, { scriptTexts }, { zipOf }] = await Promise.all([
    import("../bundle/bundle"),
    import("../bundle/script-files"),
    import("../bundle/zip"),
  ]);
  const zip = new Uint8Array(zipOf(bundle(options, scriptTexts, secrets, connection).files));
  saveFile(new Blob([zip], { type: "application/zip" }), name);
}
