import { useEffect, useState } from "react";
import { useFetcher } from "react-router";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { TestedServer } from "../test-room/tested-server";
import type { TestResult } from "./result";
import type { ResultAnswer } from "./results.server";
import { TestRun, useTestRun } from "./test-run";

/** The test of whoever has a link: what it is, a press, what it found, and what they can do. */
export function LinkedTest({ server }: { server: TestedServer }) {
  const token = useTokenOfAddress();
  const report = useFetcher<ResultAnswer>();
  const test = useTestRun((result: TestResult) =>
    report.submit({ result: JSON.stringify(result) }, { method: "post" }),
  );
  const answer = report.data;

  return (
    <div className="mt-4 grid gap-6">
      <p className="wrap-anywhere">
        Does this network let calls through to {server.domain}? The test takes half a minute at
        most. It uses neither camera nor microphone.
      </p>
      <p className="text-sm text-ink-soft">
        Whoever gave you the link then sees: which ways got through, how long they took, and the
        name and version of your browser. Your network's address is not kept.
      </p>
      <Message kind="warning" className="scripted:hidden">
        The test is made by your browser, and that needs JavaScript. Allow it for this page, and
        load it again.
      </Message>
      {token === "" ? (
        <Message kind="failure">
          The link is not whole, or this page was loaded again. Open the link once more as you got
          it: its second half is taken out of the address at once, so that nobody copies it by
          mistake.
        </Message>
      ) : (
        <div className="not-scripted:hidden">
          <Button
            aria-disabled={test.isBusy || token === undefined}
            onClick={() => token && test.start(async () => token)}
          >
            {test.run.step === "done" ? "Test again" : "Start the test"}
          </Button>
        </div>
      )}
      <TestRun test={test} server={server} outside={answer?.outside} reader="tester" />
      {test.run.step === "done" ? <Sending state={report.state} answer={answer} /> : null}
    </div>
  );
}

function Sending({ state, answer }: { state: string; answer: ResultAnswer | undefined }) {
  if (state !== "idle" || !answer) return <p role="status">Sending the result…</p>;
  return answer.message ? (
    <Message kind="warning">{answer.message}</Message>
  ) : (
    <p role="status">The result was sent to whoever gave you the link.</p>
  );
}

/**
 * The token in the fragment of the address; empty where there is none, undefined until that is known. It is taken out of
 * the address at once: nobody copies it from there, and no entry of the history keeps it.
 */
function useTokenOfAddress(): string | undefined {
  const [token, setToken] = useState<string>();
  useEffect(() => {
    const found = location.hash.slice(1);
    if (found) history.replaceState(history.state, "", location.pathname + location.search);
    setToken((current) => current || found);
  }, []);
  return token;
}
