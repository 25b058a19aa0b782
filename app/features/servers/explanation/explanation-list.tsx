import { Card } from "~/ui/primitives/card";
import { Message } from "~/ui/primitives/message";
import { NextStep } from "../incidents/incident-sections";
import type { Confidence, Explanation } from "./facts";

export const confidences: Readonly<Record<Confidence, string>> = {
  certain: "This is certain.",
  likely: "This is likely, not certain.",
  unknown: "More cannot be known from what a server reports.",
};

export const nothingWrong = "Nothing is known to have gone wrong in this call.";

/** Why a call was as it was: the surest first, as the first sentence of its page. */
export function ExplanationList({
  explanations,
  ended,
}: {
  explanations: readonly Explanation[];
  /** How the call ended, for one of which nothing more is known. */
  ended: string;
}) {
  const [first, ...more] = explanations;
  if (!first) {
    return (
      <Message kind="success">
        <p className="text-lg font-strong">{nothingWrong}</p>
        <p className="mt-1">{ended}</p>
      </Message>
    );
  }
  return (
    <>
      <Message kind={first.confidence === "unknown" ? "neutral" : "warning"}>
        <p className="text-lg font-strong wrap-anywhere">{first.title}</p>
        <p className="mt-1">{confidences[first.confidence]}</p>
      </Message>
      <Details explanation={first} />
      {more.length > 0 ? (
        <section aria-labelledby="also" className="mt-8">
          <h2 id="also" className="text-xl">
            What else may have been
          </h2>
          <ul className="mt-4 grid gap-3">
            {more.map((explanation) => (
              <Card as="li" key={explanation.code}>
                <h3 className="text-base font-strong tracking-normal wrap-anywhere">
                  {explanation.title}
                </h3>
                <ExplanationDetails explanation={explanation} />
              </Card>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

/** How sure an explanation is, what it rests on and what to do. */
export function ExplanationDetails({ explanation }: { explanation: Explanation }) {
  return (
    <>
      <p className="mt-1 text-sm text-ink-soft">{confidences[explanation.confidence]}</p>
      <Details explanation={explanation} />
    </>
  );
}

function Details({ explanation: { because, next } }: { explanation: Explanation }) {
  return (
    <div className="mt-4 max-w-prose">
      <ul aria-label="Why we say so" className="list-disc pl-5">
        {because.map((each) => (
          <li key={each} className="wrap-anywhere">
            {each}
          </li>
        ))}
      </ul>
      {next.map((each) => (
        <NextStep key={each} text={each} help={undefined} />
      ))}
    </div>
  );
}
