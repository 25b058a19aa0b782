import { useFetcher } from "react-router";
import type { GoogleTool, ToolTab } from "~/content/google-tools";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import {
  type ConnectAnswer,
  type ConnectionView,
  connectionAddress,
  type DisconnectAnswer,
} from "../connection/connection-view";
import { permissions } from "./permissions.client";

/** Submits "Connect" and "Disconnect"; `answer` is that to the newest of them. */
export function useConnectionChange() {
  const { data, state, submit } = useFetcher<
    Exclude<ConnectAnswer, { url: string }> | DisconnectAnswer
  >();
  return {
    answer: data,
    isDisconnected: data !== undefined && "isDisconnected" in data && data.isDisconnected === true,
    isBusy: state !== "idle",
    post(formValues: { intent: "connect" | "disconnect"; tool?: string; tab?: string }) {
      void submit(formValues, {
        method: "post",
        action: connectionAddress,
        flushSync: true,
        defaultShouldRevalidate: false,
      });
    },
  };
}

/** Shows which Google account is connected, or which permissions a tool will ask Google for, and why. */
export function ConnectionBox({
  tool,
  tab,
  connection,
  change: { answer, isBusy, post },
}: {
  tool: GoogleTool;
  tab: ToolTab;
  connection: ConnectionView;
  change: ReturnType<typeof useConnectionChange>;
}) {
  const { connected } = connection;
  const needed = tool.scopes.filter((scope) => !connected?.scopes.includes(scope));

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
          <Button
            onClick={() => post({ intent: "connect", tool: tool.id, tab: tab.id })}
            disabled={isBusy}
            variant="secondary"
          >
            Connect Google
          </Button>
        </>
      ) : null}
      {connected ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <p className="min-w-0 break-words">
            Connected as <strong>{connected.email}</strong>
          </p>
          <Button onClick={() => post({ intent: "disconnect" })} disabled={isBusy} variant="quiet">
            Disconnect
          </Button>
        </div>
      ) : null}
      {answer?.error ? (
        <Message kind="failure">
          <span>{answer.error}</span>
          {"link" in answer && answer.link ? (
            <span>
              {" "}
              <TextLink to={answer.link.href}>{answer.link.words}</TextLink>
            </span>
          ) : null}
        </Message>
      ) : null}
    </div>
  );
}
