import { Message } from "~/ui/primitives/message";
import type { TestResult } from "./result";
import type { Verdict } from "./verdict";
import { outcomeFigures, outcomeWords, wayLabels } from "./way-words";
import { ways } from "./ways";

const kinds = { good: "success", limited: "warning", failed: "failure" } as const;

const confidences: Readonly<Record<Verdict["confidence"], string>> = {
  certain: "This is certain.",
  likely: "This is likely, not certain.",
  unknown: "The cause cannot be known from here.",
};

type Found = {
  result: TestResult;
  verdict: Verdict;
  /** Who reads it. Whoever runs the server reads both lists of what to do. */
  reader: "tester" | "owner";
};

/** What a test has just found: the sentence, what to do, and the three ways. */
export function ResultView(found: Found) {
  return (
    <div className="grid gap-6">
      <Message kind={kinds[found.verdict.grade]}>
        <p className="font-strong wrap-anywhere">{found.verdict.title}</p>
      </Message>
      <ResultDetails {...found} />
    </div>
  );
}

/** The same without the sentence. */
export function ResultDetails({ result, verdict, reader }: Found) {
  return (
    <div className="grid gap-6">
      <p className="text-sm text-ink-soft">{confidences[verdict.confidence]}</p>
      {reader === "tester" ? (
        <Steps as="h2" title="What to do" steps={verdict.tester} />
      ) : (
        <>
          <Steps as="h3" title="In that network" steps={verdict.tester} />
          <Steps as="h3" title="On the server" steps={verdict.owner} />
        </>
      )}
      <WayList result={result} />
    </div>
  );
}

function Steps({
  as: Heading,
  title,
  steps,
}: {
  as: "h2" | "h3";
  title: string;
  steps: readonly string[];
}) {
  if (steps.length === 0) return null;
  return (
    <div>
      <Heading className="text-base font-strong">{title}</Heading>
      <ul className="mt-2 grid max-w-prose list-disc gap-1 pl-5 wrap-anywhere">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </div>
  );
}

function WayList({ result }: { result: TestResult }) {
  return (
    <dl className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-[auto_1fr]">
      {ways.map((way) => (
        <div key={way} className="contents">
          <dt className="text-ink-soft">{wayLabels[way]}</dt>
          <dd>
            <p>{outcomeWords(result[way])}</p>
            <p className="text-ink-soft tabular-nums">{outcomeFigures(result[way])}</p>
          </dd>
        </div>
      ))}
    </dl>
  );
}
