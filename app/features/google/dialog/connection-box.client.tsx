import { useState } from "react";
import { Link } from "react-router";
import type { GoogleTool, ToolTab } from "~/content/google-tools";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { ConnectAnswer, ConnectionView } from "../connection/connection-view";
import { permissions } from "./permissions.client";
import { askToConnect, disconnect } from "./tool-requests.client";

type Problem = Extract<ConnectAnswer, { error: string }>;

/** Whose Google account is connected; or which permissions a tool needs and why, before it asks. */
export function ConnectionBox({
  tool,
  tab,
  connection,
  onChange,
}: {
  tool: GoogleTool;
  tab: ToolTab;
  connection: ConnectionView;
  onChange: (connection: ConnectionView) => void;
}) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const { connected, owner } = connection;
  const needed = tool.scopes.filter((scope) => !connected?.scopes.includes(scope));

  async function connect() {
    setBusy(true);
    const answer = await askToConnect(tool.id, tab.id);
    if ("url" in answer) return location.assign(answer.url);
    setBusy(false);
    setProblem(answer);
  }
  async function end() {
    setBusy(true);
    const { isDisconnected, error } = await disconnect();
    setBusy(false);
    setProblem(error ? { error } : undefined);
    if (isDisconnected) onChange({ owner });
  }

  return (
    <div className="grid grid-cols-1 gap-3 rounded-md border border-line px-4 py-3">
      {needed.length > 0 ? (
        <>
          <p>
            {connected
              ? `This needs more permissions of ${connected.email}:`
              : "This works with your own Google account. Google will ask you for:"}
          </p>
          <dl className="grid grid-cols-1 gap-2 text-sm">
            {needed.map((scope) => (
              <div key={scope}>
                <dt className="font-mono break-all">{scope}</dt>
                <dd className="text-ink-soft">{permissions[scope]}</dd>
              </div>
            ))}
          </dl>
          <p className="text-sm text-ink-soft">
            The connection lasts an hour, in this browser only. What you have typed stays here.
          </p>
          <Button onClick={connect} disabled={busy} variant="secondary">
            Connect Google
          </Button>
        </>
      ) : null}
      {connected ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <p className="min-w-0 break-words">
            Connected as <strong>{connected.email}</strong>
          </p>
          <Button onClick={end} disabled={busy} variant="quiet">
            Disconnect
          </Button>
        </div>
      ) : null}
      {problem ? (
        <Message kind="failure">
          {problem.error}
          {problem.link ? (
            <>
              {" "}
              <Link to={problem.link.href} className="underline underline-offset-4">
                {problem.link.words}
              </Link>
            </>
          ) : null}
        </Message>
      ) : null}
    </div>
  );
}
