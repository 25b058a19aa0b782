import { type ComponentType, useState } from "react";
import { Message } from "~/ui/primitives/message";
import type { TestedServer } from "../test-room/tested-server";
import type { Outside } from "./failure-advice";
import type { TestResult } from "./result";
import { ResultView } from "./result-view";
import type { RunningTestProps } from "./running-test.client";
import { verdictOf } from "./verdict";

type Run =
  | { step: "ready" | "loading" | "not-loaded" }
  | { step: "running"; View: ComponentType<RunningTestProps>; token: string }
  | { step: "done"; result: TestResult };

export type TestState = ReturnType<typeof useTestRun>;

/** A test from the press to its result. What connects is loaded with the press: no other page needs it. */
export function useTestRun(report?: (result: TestResult) => void) {
  const [run, setRun] = useState<Run>({ step: "ready" });
  const isBusy = run.step === "loading" || run.step === "running";

  async function start(makeToken: () => Promise<string>): Promise<void> {
    if (isBusy) return;
    setRun({ step: "loading" });
    try {
      const [{ default: View }, token] = await Promise.all([
        import("./running-test.client"),
        makeToken(),
      ]);
      setRun({ step: "running", View, token });
    } catch {
      setRun({ step: "not-loaded" });
    }
  }

  function finish(result: TestResult): void {
    setRun({ step: "done", result });
    report?.(result);
  }

  return { run, isBusy, start, finish };
}

/** What is seen of a test: while it runs the way that is tried, then what it found. */
export function TestRun({
  test: { run, finish },
  server,
  outside,
  reader,
}: {
  test: TestState;
  server: TestedServer;
  /** What our site sees of the server, once that is known. */
  outside?: Outside | undefined;
  reader: "tester" | "owner";
}) {
  switch (run.step) {
    case "running":
      return <run.View domain={server.domain} token={run.token} finish={finish} />;
    case "done":
      return (
        <ResultView
          result={run.result}
          verdict={verdictOf(run.result, { ...server, outside })}
          reader={reader}
        />
      );
    case "not-loaded":
      return (
        <Message kind="failure">
          The test could not be loaded. Check your connection, and load this page again.
        </Message>
      );
    default:
      return null;
  }
}
