import { useEffect, useRef, useState } from "react";
import type { TestResult } from "./result";
import { runTest } from "./run-test.client";
import { wayLabels } from "./way-words";
import { type Way, ways } from "./ways";

export type RunningTestProps = {
  domain: string;
  token: string;
  finish: (result: TestResult) => void;
};

/** A test while it runs: which of the three ways is tried. LiveKit's client is loaded with it. */
export default function RunningTest({ domain, token, finish }: RunningTestProps) {
  const [way, setWay] = useState<Way>("usual");
  const status = useRef<HTMLParagraphElement>(null);
  const done = useRef(finish);
  done.current = finish;

  // What was pressed is gone or disabled now: the keyboard goes on from here.
  useEffect(() => status.current?.focus(), []);

  useEffect(() => {
    let isCurrent = true;
    void runTest({ domain, token }, (next) => isCurrent && setWay(next)).then(
      (result) => isCurrent && done.current(result),
    );
    return () => {
      isCurrent = false;
    };
  }, [domain, token]);

  return (
    <p ref={status} role="status" tabIndex={-1} className="justify-self-start font-strong">
      {`Testing, ${ways.indexOf(way) + 1} of ${ways.length}: ${wayLabels[way].toLowerCase()}…`}
    </p>
  );
}
