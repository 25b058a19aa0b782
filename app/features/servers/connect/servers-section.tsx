import { Form, Link } from "react-router";
import { CommandBox } from "~/features/deployments/page/command-box";
import { More } from "~/features/deployments/page/more";
import { useMay } from "~/features/workspaces/use-may";
import { useConsoleBase } from "~/ui/console/console-path";
import { Moment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { TextLink } from "~/ui/primitives/text-link";
import type { NamedServer } from "../known-servers.server";
import type { ServerLine } from "../page/server-view.server";
import type { MadeToken } from "../server-changes.server";
import { ServerStateBadge } from "../server-state-badge";
import { UnreadServers } from "../unread-servers";

/** The servers that were made from a deployment, and the ways in which one more is connected. */
export function ServersSection({
  secretsInBrowser,
  servers,
  known,
  made,
}: {
  /** The zip is made in the browser then, without a token. */
  secretsInBrowser: boolean;
  /** Undefined while they cannot be read. */
  servers: readonly ServerLine[] | undefined;
  /** Those whose names are shown then. */
  known: readonly NamedServer[];
  /** The token that was just made. */
  made: MadeToken | undefined;
}) {
  const base = useConsoleBase();
  const mayConnect = useMay("servers");
  return (
    <>
      {servers ? <ServerList servers={servers} base={base} /> : <UnreadServers known={known} />}
      {made ? <TokenToType {...made} /> : null}
      {mayConnect ? (
        <More summary="Connect a server" open={servers?.length === 0}>
          <div className="grid gap-5 pb-2">
            {secretsInBrowser ? null : (
              <p className="max-w-prose text-sm">
                A new machine: download the files with “Connect to the console” in{" "}
                <TextLink to="#steps">step 2</TextLink>. They hold a token, so that the server
                reports from its first boot on.
              </p>
            )}
            <Form method="post" preventScrollReset>
              <input type="hidden" name="intent" value="connect" />
              <p className="max-w-prose text-sm">
                A machine that runs: it asks for a token. Nothing is restarted.
              </p>
              <Button type="submit" variant="secondary" className="mt-3">
                Make a token
              </Button>
            </Form>
          </div>
        </More>
      ) : null}
    </>
  );
}

function ServerList({ servers, base }: { servers: readonly ServerLine[]; base: string }) {
  if (servers.length === 0) {
    return <p>No server reports yet. A connected one shows here how its first boot goes.</p>;
  }
  return (
    <ul className="border-t border-line">
      {servers.map(({ id, name, state, participants, lastReportAt, hasRequest }) => (
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
          {hasRequest ? <Badge variant="warning">A machine asks for its place</Badge> : null}
          {participants === undefined ? null : (
            <span className="font-mono tabular-nums">{participants} in calls</span>
          )}
          {lastReportAt ? (
            <span className="text-ink-soft">
              reported <Moment at={lastReportAt} />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function TokenToType({ token, ends }: MadeToken) {
  return (
    <div role="status" className="mt-5 grid gap-3">
      <p className="max-w-prose">
        Copy the token now: it is shown once, and connects one machine until <Moment at={ends} />.
      </p>
      <CommandBox text={token} label="the token" />
      <p className="max-w-prose text-sm text-ink-soft">
        On the machine run this, and paste the token when it asks:
      </p>
      <CommandBox text="sudo livekit-deploy connect" label="the command that connects" />
    </div>
  );
}
