import { Form, Link, useNavigation } from "react-router";
import { CommandBox } from "~/features/deployments/page/command-box";
import { More } from "~/features/deployments/page/more";
import { useConsoleBase } from "~/ui/console/console-path";
import { Moment, RecentMoment } from "~/ui/moment";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { TextLink } from "~/ui/primitives/text-link";
import type { LivingTokens } from "../ingest/enrolment.server";
import { connectedCommands } from "../layout/layout";
import { ServerStateBadge } from "../pages/server-status";
import type { connectedServers } from "./connected-view.server";
import { quotaRefusal, quotaWords, type ServerQuota } from "./server-quota";

/** Asks what the server is to be called, or says why none can be connected. */
export function ConnectForm({
  quota,
  typed,
  error,
}: {
  /** Undefined where it cannot be read. */
  quota: ServerQuota | undefined;
  typed: string | undefined;
  error: string | undefined;
}) {
  const base = useConsoleBase();
  const busy = useNavigation().state !== "idle";
  const refusal = quotaRefusal(quota);
  if (refusal) {
    return (
      <p className="mt-6 max-w-prose">
        {refusal} <TextLink to={`${base}/billing`}>Billing</TextLink>
      </p>
    );
  }
  return (
    <Form method="post" className="mt-6 grid max-w-prose justify-items-start gap-4">
      <TextField
        name="name"
        label="Name of the server"
        hint="As your team calls it: letters, digits, dots and hyphens, such as sfu-1."
        error={error}
        defaultValue={typed}
        maxLength={63}
        required
        autoComplete="off"
      />
      {quota ? <p className="text-sm text-ink-soft">{quotaWords(quota)}</p> : null}
      <Button type="submit" name="intent" value="connect" disabled={busy}>
        Make the command
      </Button>
    </Form>
  );
}

/** What to do on the machine, once the token is made. */
export function ConnectSteps({
  made: { token, ends, name },
  script: { command, sha256, manifest },
}: {
  made: { token: string; ends: string; name: string };
  script: { command: string; sha256: string; manifest: ClusterManifest | undefined };
}) {
  return (
    <section
      aria-labelledby="steps"
      data-outcome
      tabIndex={-1}
      className="mt-6 grid max-w-prose gap-4"
    >
      <h2 id="steps" className="text-xl wrap-anywhere">
        <span>{`Connect ${name}`}</span>
      </h2>
      <p>
        1. On the machine run this. It fetches the script, and runs it only if it is the one below,
        by its SHA-256. It needs root, because only root may ask Docker and read LiveKit&apos;s
        configuration.
      </p>
      <CommandBox text={command} label="the command that connects" />
      <p className="text-sm wrap-anywhere text-ink-soft">
        <span>SHA-256: </span>
        <code className="font-mono">{sha256}</code>
        <span>. </span>
        <TextLink to="#script">Read the script first</TextLink>
      </p>
      <p>
        <span>
          2. It says what it found, and asks for this token. The token is shown once, connects one
          machine, and ends{" "}
        </span>
        <Moment at={ends} />
        <span>.</span>
      </p>
      <CommandBox text={token} label="the token" />
      <p>3. The server appears below, at first as “Waiting for its first report”.</p>
      {manifest ? <ClusterSteps manifest={manifest} /> : null}
    </section>
  );
}

type ClusterManifest = { apply: string; secret: string; sha256: string };

function ClusterSteps({ manifest: { apply, secret, sha256 } }: { manifest: ClusterManifest }) {
  return (
    <More summary="LiveKit runs in Kubernetes">
      <div className="grid gap-4 pb-2">
        <p>
          1. In place of the command above: this fetches a manifest, and applies it only if it is
          the one below, by its SHA-256. It makes the namespace livekit-connect, and has no right in
          the cluster&apos;s API.
        </p>
        <CommandBox text={apply} label="the command that applies the manifest" />
        <p className="text-sm wrap-anywhere text-ink-soft">
          <span>SHA-256: </span>
          <code className="font-mono">{sha256}</code>
          <span>. </span>
          <TextLink to="#manifest">Read the manifest first</TextLink>
        </p>
        <p>
          2. Write the name of LiveKit&apos;s service in place of livekit-server.default.svc
          (kubectl get services -A shows it; with its port where that is not 80), run this, paste
          the token, and end with Enter and Ctrl+D.
        </p>
        <CommandBox text={secret} label="the command that makes the Secret" />
      </div>
    </More>
  );
}

/** `servers`: undefined while they cannot be read. */
export function ConnectedServers({
  servers,
}: {
  servers: ReturnType<typeof connectedServers> | undefined;
}) {
  const base = useConsoleBase();
  if (!servers) {
    return (
      <p>
        Your servers cannot be read right now. They run as before. Please try again in a moment.
      </p>
    );
  }
  if (servers.length === 0) return <p>None yet.</p>;
  return (
    <ul className="border-t border-line">
      {servers.map(({ id, name, state, found, lastReportAt }) => (
        <li
          key={id}
          className="flex flex-wrap items-center gap-x-6 gap-y-1 border-b border-line py-3 text-sm"
        >
          <Link
            to={`${base}/servers/${id}`}
            className="min-h-6 text-base font-strong wrap-anywhere hover:text-signal"
          >
            {name}
          </Link>
          <ServerStateBadge state={state} />
          {found ? <span className="wrap-anywhere">{`Found: ${found}`}</span> : null}
          {lastReportAt ? (
            <span className="text-ink-soft">
              reported <RecentMoment at={lastReportAt} />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

export function RevokeTokens({ count, ends }: LivingTokens) {
  return (
    <More summary="Revoke all tokens of this page">
      <Form method="post" className="grid justify-items-start gap-3 pb-2">
        <p className="max-w-prose text-sm">
          <span>{`${count === 1 ? "One token can" : `${count} tokens can`} still connect a machine, until `}</span>
          <Moment at={new Date(ends).toISOString()} />
          <span>. Connected servers report on.</span>
        </p>
        <Button type="submit" name="intent" value="revoke" variant="danger">
          Revoke now
        </Button>
      </Form>
    </More>
  );
}

/** How everything that the script wrote goes again. */
export function Removal() {
  return (
    <div className="grid max-w-prose gap-3">
      <p>
        The script writes the folder /opt/livekit-connect and two units, livekit-connect.service and
        livekit-connect.timer. This takes them away, disconnects the server here, and leaves the
        machine byte for byte as it was:
      </p>
      <CommandBox
        text={connectedCommands({ kind: "none" }).removal}
        label="the command that removes it"
      />
      <p>In a cluster this does. Disconnect the server on its page here as well:</p>
      <CommandBox
        text={connectedCommands({ kind: "kubernetes" }).removal}
        label="the command that removes it from a cluster"
      />
    </div>
  );
}
