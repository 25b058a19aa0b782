import { Form, useNavigation } from "react-router";
import { Section } from "~/ui/console/section";
import { Moment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { Message } from "~/ui/primitives/message";
import { pressable } from "~/ui/primitives/text-link";
import type { TestedServer } from "../test-room/tested-server";
import { browserName } from "./browser";
import type { StoredTest, TestLink } from "./links.server";
import { ResultDetails } from "./result-view";
import type { TestAnswer } from "./test-forms.server";
import { verdictOf } from "./verdict";

/** The links of a deployment, and a way to end those that are open. */
export function LinkList({
  links,
  mayEnd,
  answer,
}: {
  links: readonly TestLink[];
  mayEnd: boolean;
  answer: TestAnswer | undefined;
}) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Section id="links" title="Links">
      {answer?.intent === "end-link" ? (
        <Message kind={answer.message ? "failure" : "success"} className="mb-4">
          {answer.message ?? "The link has ended. What was found by it stays."}
        </Message>
      ) : null}
      {links.length === 0 ? (
        <p>No link was made yet.</p>
      ) : (
        <ul>
          {links.map(({ id, label, endsAt, isOpen }) => (
            <li
              key={id}
              className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-line py-3"
            >
              <div className="min-w-0">
                <p className="font-strong wrap-anywhere">{label}</p>
                <p className="text-sm text-ink-soft">
                  <span>{isOpen ? "Open until " : "Ended "}</span>
                  <Moment at={endsAt} />
                </p>
              </div>
              {isOpen && mayEnd ? (
                <details className="text-sm">
                  <summary className={`min-h-11 content-center wrap-anywhere ${pressable}`}>
                    End the link for {label}
                  </summary>
                  <Form
                    method="post"
                    preventScrollReset
                    className="grid justify-items-start gap-3 py-2"
                  >
                    <input type="hidden" name="intent" value="end-link" />
                    <input type="hidden" name="link" value={id} />
                    <p>Whoever opens it then reads that it has ended.</p>
                    <Button type="submit" variant="danger" disabled={isBusy}>
                      End now
                    </Button>
                  </Form>
                </details>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const grades = {
  good: { variant: "success", label: "Good" },
  limited: { variant: "warning", label: "Limited" },
  failed: { variant: "failure", label: "Failed" },
} as const;

/** What tests found, newest first. */
export function TestList({
  tests,
  server,
}: {
  tests: readonly StoredTest[];
  server: TestedServer;
}) {
  return (
    <Section id="results" title="Results" detail="Kept for 90 days, without anybody's address.">
      {tests.length === 0 ? (
        <p>No test was run yet.</p>
      ) : (
        <ul className="grid gap-3">
          {tests.map(({ id, at, network, result }) => {
            const { outside, ...found } = result;
            const verdict = verdictOf(found, { ...server, outside });
            const grade = grades[verdict.grade];
            return (
              <Card as="li" key={id}>
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
                  <Badge variant={grade.variant}>{grade.label}</Badge>
                  <span className="wrap-anywhere">
                    {`${network ?? "From the console"} · ${browserName(result.browser)} · `}
                    <Moment at={at} />
                  </span>
                </p>
                <details className="mt-1">
                  <summary
                    className={`min-h-11 content-center font-strong wrap-anywhere ${pressable}`}
                  >
                    {verdict.title}
                  </summary>
                  <div className="mt-3">
                    <ResultDetails result={found} verdict={verdict} reader="owner" />
                  </div>
                </details>
              </Card>
            );
          })}
        </ul>
      )}
    </Section>
  );
}
