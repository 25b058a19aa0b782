import { useEffect, useState } from "react";
import { useFetcher } from "react-router";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { TestedServer } from "../test-room/tested-server";
import { readFragment } from "./link";
import type { TestResult } from "./result";
import type { ResultAnswer } from "./results.server";
import { TestRun, useTestRun } from "./test-run";

/**
 * The test of whoever has a link, or reads a page of the customer's that frames it: what it is, a press, what it found,
 * and what they can do.
 */
export function LinkedTest({
  server,
  isFramed,
}: {
  server: TestedServer;
  isFramed?: true | undefined;
}) {
  const fragment = useFragment();
  const token = fragment?.token;
  const report = useFetcher<ResultAnswer>();
  const test = useTestRun((result: TestResult) =>
    report.submit(
      {
        result: JSON.stringify(result),
        ...(fragment?.reference ? { reference: fragment.reference } : {}),
      },
      { method: "post" },
    ),
  );
  const answer = report.data;

  return (
    <div className="mt-4 grid gap-6">
      <p className="wrap-anywhere">
        Does this network let calls through to {server.domain}? The test takes half a minute at
        most. It uses neither camera nor microphone.
      </p>
      <p className="text-sm text-ink-soft">
        {`${isFramed ? "Whoever runs this page" : "Whoever gave you the link"} then sees: which ways got through, how long they took, and the name and version of your browser. Your network's address is not kept.`}
      </p>
      <Message kind="warning" className="scripted:hidden">
        The test is made by your browser, and that needs JavaScript. Allow it for this page, and
        load it again.
      </Message>
      {token === "" ? (
        <Message kind="failure">
          {isFramed
            ? "This page brought no token for the test. Load the whole page again; if that does not help, tell whoever runs it."
            : "The link is not whole, or this page was loaded again. Open the link once more as you got it: its second half is taken out of the address at once, so that nobody copies it by mistake."}
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
      {test.run.step === "done" ? (
        <Sending state={report.state} answer={answer} isFramed={isFramed} />
      ) : null}
    </div>
  );
}

function Sending({
  state,
  answer,
  isFramed,
}: {
  state: string;
  answer: ResultAnswer | undefined;
  isFramed: true | undefined;
}) {
  if (state !== "idle" || !answer) return <p role="status">Sending the result…</p>;
  return answer.message ? (
    <Message kind="warning">{answer.message}</Message>
  ) : (
    <p role="status">
      {`The result was sent to whoever ${isFramed ? "runs this page" : "gave you the link"}.`}
    </p>
  );
}

/**
 * What the fragment of the address holds; undefined until that is known, with an empty token where there is none. It is
 * taken out of the address at once: nobody copies it from there, and no entry of the history keeps it. A page that frames
 * the test gives it a fresh token by the same address.
 */
function useFragment(): ReturnType<typeof readFragment> | undefined {
  const [fragment, setFragment] = useState<ReturnType<typeof readFragment>>();
  useEffect(() => {
    const read = () => {
      const found = readFragment(location.hash);
      if (found.token) {
        history.replaceState(history.state, "", location.pathname + location.search);
      }
      setFragment((current) => (found.token || !current ? found : current));
    };
    read();
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  return fragment;
}
