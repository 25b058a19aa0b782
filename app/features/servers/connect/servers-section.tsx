import { useRef } from "react";
import { Form, Link } from "react-router";
import { CommandBox } from "~/features/deployments/page/command-box";
import { More } from "~/features/deployments/page/more";
import type { StepOutcome } from "~/features/deployments/progress/step-forms.server";
import { useMay } from "~/features/workspaces/roles";
import { useConsoleBase } from "~/ui/console/console-path";
import { useFocusAfterPost } from "~/ui/console/use-focus-after-post";
import { Moment, RecentMoment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { TextLink } from "~/ui/primitives/text-link";
import type { LivingTokens } from "../ingest/enrolment.server";
import { type RunsVersion, runsVersionWords } from "../pages/runs-version";
import type { ServerLine } from "../pages/server-details.server";
import { ServerStateBadge, UnreadServers } from "../pages/server-status";
import type { NamedServer } from "../pages/workspace-fleet.server";
import type { MadeToken } from "./enrolment-tokens.server";
import {
  maxMachines,
  quotaRefusal,
  quotaWords,
  type ServerQuota,
  serversLeft,
  type TypedCount,
} from "./server-quota";

/** `runs`: undefined before its first report. */
type DeploymentServer = ServerLine & { runs: RunsVersion | undefined };

/** The servers that were made from a deployment, and the ways in which one more is connected. */
export function ServersSection({
  secretsInBrowser,
  servers,
  hasCluster,
  savedServers,
  quota,
  missing,
  tokens,
  made,
  userData,
  areTokensRevoked,
  typed,
}: {
  /** The zip is made in the browser then, without a token. */
  secretsInBrowser: boolean;
  /** Undefined while they cannot be read. */
  servers: readonly DeploymentServer[] | undefined;
  /** Those of its cluster stand above them. */
  hasCluster: boolean;
  /** Those whose names are shown then. */
  savedServers: readonly NamedServer[];
  /** Undefined where it cannot be read. */
  quota: ServerQuota | undefined;
  /** How many machines of the deployment are not connected yet. */
  missing: number;
  /** Those by which machines can still be connected; undefined without any. */
  tokens: LivingTokens | undefined;
  /** The token that was just made. */
  made: MadeToken | undefined;
  /** The user data that was just made. */
  userData: StepOutcome["userData"];
  areTokensRevoked: true | undefined;
  /** The number of machines that was refused. */
  typed: TypedCount | undefined;
}) {
  const base = useConsoleBase();
  const mayConnect = useMay("servers");
  const refusal = quotaRefusal(quota);
  const section = useRef<HTMLDivElement>(null);
  useFocusAfterPost(section);
  return (
    <div ref={section}>
      {servers ? (
        <ServerList servers={servers} base={base} hasCluster={hasCluster} />
      ) : (
        <UnreadServers savedServers={savedServers} />
      )}
      {made ? <TokenToType {...made} /> : null}
      {userData ? <UserDataToCopy {...userData} /> : null}
      {areTokensRevoked ? (
        <p role="status" data-outcome tabIndex={-1} className="mt-5">
          All tokens are revoked. Connected servers report on.
        </p>
      ) : null}
      {mayConnect ? (
        <More
          summary="Connect a server"
          open={(servers?.length === 0 && !hasCluster) || typed !== undefined}
        >
          <div className="grid gap-5 pb-2">
            {secretsInBrowser ? null : (
              <>
                <p className="max-w-prose text-sm">
                  A new machine: download the files with “Connect this server to the console” in{" "}
                  <TextLink to="#steps">step 2</TextLink>. They hold a token, so that the server
                  reports from its first boot on.
                </p>
                {refusal ? null : <UserDataForm />}
              </>
            )}
            <p className="max-w-prose text-sm">
              A machine that runs: it asks for a token, and nothing is restarted. One that was made
              without the connection takes its bundle first: “livekit-deploy apply” waits for a
              quiet moment and restarts LiveKit.
            </p>
            {refusal ? (
              <p className="max-w-prose text-sm">{refusal}</p>
            ) : (
              <TokenForm quota={quota} missing={missing} typed={typed} />
            )}
          </div>
        </More>
      ) : null}
      {mayConnect && tokens ? <RevokeTokens {...tokens} /> : null}
    </div>
  );
}

function ServerList({
  servers,
  base,
  hasCluster,
}: {
  servers: readonly DeploymentServer[];
  base: string;
  hasCluster: boolean;
}) {
  if (servers.length === 0 && hasCluster) return <p>All of them are in the cluster above.</p>;
  if (servers.length === 0) {
    return <p>No server reports yet. A connected one shows here how its first boot goes.</p>;
  }
  return (
    <ul className="border-t border-line">
      {servers.map(({ id, name, state, runs, participants, lastReportAt, hasRequest }) => (
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
          {hasRequest ? <Badge variant="warning">Another machine wants to replace it</Badge> : null}
          {runs ? <span>{runsVersionWords(runs)}</span> : null}
          {participants === undefined ? null : (
            <span className="font-mono tabular-nums">{participants} in calls</span>
          )}
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

function TokenForm({
  quota,
  missing,
  typed,
}: {
  quota: ServerQuota | undefined;
  missing: number;
  typed: TypedCount | undefined;
}) {
  const most = quota ? Math.min(maxMachines, serversLeft(quota)) : maxMachines;
  return (
    <Form method="post" preventScrollReset className="grid justify-items-start gap-3">
      <input type="hidden" name="intent" value="connect" />
      {most > 1 || typed ? (
        <TextField
          label="For how many machines"
          hint={`1 to ${most}`}
          error={typed?.error}
          name="machines"
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          defaultValue={typed?.text ?? String(Math.max(1, Math.min(missing, most)))}
        />
      ) : null}
      {quota ? <p className="max-w-prose text-sm text-ink-soft">{quotaWords(quota)}</p> : null}
      <Button type="submit" variant="secondary">
        Make a token
      </Button>
    </Form>
  );
}

function UserDataForm() {
  return (
    <Form method="post" preventScrollReset className="grid justify-items-start gap-3">
      <input type="hidden" name="intent" value="user-data" />
      <p className="max-w-prose text-sm">
        Or without the files: user data of a kilobyte, for your provider&apos;s console or
        Terraform. The machine fetches its files from us at its first boot, and takes no others.
      </p>
      <Button type="submit" variant="secondary">
        Make user data
      </Button>
    </Form>
  );
}

function UserDataToCopy({ text, ends }: NonNullable<StepOutcome["userData"]>) {
  return (
    <div role="status" className="mt-5 grid gap-3">
      <p className="max-w-prose">
        Copy the user data now: it is shown once, holds a token, and connects a new machine until{" "}
        <Moment at={ends} />. When we change how files are made before that, the machine says so,
        and you make it again.
      </p>
      <CommandBox text={text} label="the user data" />
    </div>
  );
}

function RevokeTokens({ count, ends }: LivingTokens) {
  return (
    <More summary="Revoke all tokens">
      <Form method="post" preventScrollReset className="grid justify-items-start gap-3 pb-2">
        <input type="hidden" name="intent" value="revoke-tokens" />
        <p className="max-w-prose text-sm">
          <span>{`${count === 1 ? "One token can" : `${count} tokens can`} still connect machines, until `}</span>
          <Moment at={new Date(ends).toISOString()} />
          <span>. Connected servers report on.</span>
        </p>
        <Button type="submit" variant="danger">
          Revoke now
        </Button>
      </Form>
    </More>
  );
}

function TokenToType({ token, ends, machines }: MadeToken) {
  return (
    <div role="status" className="mt-5 grid gap-3">
      <p className="max-w-prose">
        <span>{`Copy the token now: it is shown once, and connects ${machines === 1 ? "one machine" : `${machines} machines`} until `}</span>
        <Moment at={ends} />
        <span>.</span>
      </p>
      <CommandBox text={token} label="the token" />
      <p className="max-w-prose text-sm text-ink-soft">{`On ${machines === 1 ? "the machine" : "each machine"} run this, and paste the token when it asks:`}</p>
      <CommandBox text="sudo livekit-deploy connect" label="the command that connects" />
    </div>
  );
}
