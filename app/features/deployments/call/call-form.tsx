import { type ComponentType, type FormEvent, useState } from "react";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { Credentials } from "../test-room/access-token.client";
import type { TestedServer } from "../test-room/tested-server";

type View = ComponentType<{
  id: string;
  version: number;
  server: TestedServer;
  credentials: Credentials;
  reportRunning: (isRunning: boolean) => void;
}>;

function NotLoaded() {
  return (
    <Message kind="failure">
      The test call could not be loaded. Check your connection, and load this page again.
    </Message>
  );
}

/** The second tab: a press joins the call, since browsers play sound only after one. */
export function ListenForm({ id, server }: { id: string; server: TestedServer }) {
  const [View, setView] = useState<ComponentType<{ id: string; server: TestedServer }>>();
  const [isMissing, setMissing] = useState(false);

  async function listen() {
    setMissing(false);
    try {
      const { default: loaded } = await import("./listener-view.client");
      setView(() => loaded);
    } catch {
      setMissing(true);
    }
  }

  if (View) return <View id={id} server={server} />;
  return (
    <div className="grid justify-items-start gap-6 not-scripted:hidden">
      <p>This tab plays what your other tab sends to your server. Put on headphones.</p>
      <Button onClick={listen}>Listen</Button>
      {isMissing ? <NotLoaded /> : null}
    </div>
  );
}

/**
 * Asks for the credentials, and starts the call. Its fields have no names, so that no browser can put them into a
 * request or an address, whatever becomes of the script.
 */
export function CallForm({
  id,
  version,
  server,
}: {
  id: string;
  version: number;
  server: TestedServer;
}) {
  const [typed, setTyped] = useState<Credentials>({ key: "", secret: "" });
  const [call, setCall] = useState<{ View: View; credentials: Credentials; attempt: number }>();
  const [isRunning, setRunning] = useState(false);
  const [isMissing, setMissing] = useState(false);

  async function start(event: FormEvent) {
    event.preventDefault();
    setRunning(true);
    setMissing(false);
    try {
      const { default: View } = await import("./speaker-view.client");
      const credentials = { key: typed.key.trim(), secret: typed.secret.trim() };
      setCall({ View, credentials, attempt: (call?.attempt ?? 0) + 1 });
    } catch {
      setRunning(false);
      setMissing(true);
    }
  }

  return (
    <div className="grid gap-8 not-scripted:hidden">
      <form onSubmit={start} className={isRunning && call ? "hidden" : ""}>
        <fieldset disabled={isRunning} className="grid max-w-prose gap-6">
          <TextField
            label="API key"
            required
            autoComplete="off"
            spellCheck={false}
            value={typed.key}
            onChange={({ target }) => setTyped({ ...typed, key: target.value })}
          />
          <TextField
            label="API secret"
            type="password"
            required
            autoComplete="off"
            value={typed.secret}
            onChange={({ target }) => setTyped({ ...typed, secret: target.value })}
            hint="Both stay in this page: the token is made here, and only your own server sees it."
          />
          <div>
            <Button type="submit" disabled={isRunning}>
              Start the test call
            </Button>
          </div>
        </fieldset>
      </form>
      {isMissing ? <NotLoaded /> : null}
      {call ? (
        <call.View
          key={call.attempt}
          id={id}
          version={version}
          server={server}
          credentials={call.credentials}
          reportRunning={setRunning}
        />
      ) : null}
    </div>
  );
}
