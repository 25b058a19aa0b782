import { type FormEvent, useState } from "react";
import { useFetcher } from "react-router";
import { Section } from "~/ui/console/section";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import { CommandBox } from "../page/command-box";
import type { TestedServer } from "../test-room/tested-server";
import {
  CredentialFields,
  credentialProblems,
  noCredentials,
  type TypedCredentials,
  tokenOf,
} from "./credential-fields";
import { LinkForm } from "./link-form";
import type { TestResult } from "./result";
import type { TestAnswer } from "./test-forms.server";
import { TestRun, useTestRun } from "./test-run";

/** A token of a test that is run at once is good for this long. */
const tokenSeconds = 600;

/** The test from where the reader is, and links by which others run it. Both use the key that is typed here. */
export function ConsoleTest({ server, mayLink }: { server: TestedServer; mayLink: boolean }) {
  const [typed, setTyped] = useState<TypedCredentials>(noCredentials);
  const [problems, setProblems] = useState<Partial<TypedCredentials>>({});
  const report = useFetcher<TestAnswer>();
  const test = useTestRun((result: TestResult) =>
    report.submit({ intent: "result", result: JSON.stringify(result) }, { method: "post" }),
  );
  const answer = report.data;

  function isTyped(): boolean {
    const found = credentialProblems(typed);
    setProblems(found);
    return Object.keys(found).length === 0;
  }

  function start(event: FormEvent) {
    event.preventDefault();
    if (isTyped()) void test.start(() => tokenOf(typed, tokenSeconds));
  }

  return (
    <>
      <Section
        id="here"
        title="From this computer"
        detail="On the server, this shows key and secret:"
      >
        <div className="mb-8 max-w-prose">
          <CommandBox text="sudo livekit-deploy credentials" label="the command" />
        </div>
        <form onSubmit={start} noValidate className="grid gap-6 not-scripted:hidden">
          <CredentialFields typed={typed} problems={problems} change={setTyped} />
          <div>
            <Button type="submit" aria-disabled={test.isBusy}>
              Start the test
            </Button>
          </div>
        </form>
        <div className="mt-8 grid gap-6">
          <TestRun test={test} server={server} outside={answer?.outside} reader="owner" />
          {answer?.message ? <Message kind="warning">{answer.message}</Message> : null}
        </div>
      </Section>
      {mayLink ? (
        <Section
          id="elsewhere"
          title="From another network"
          detail="A link that anybody opens without an account, for a day. It is for one place: two tests at one moment disturb each other."
        >
          <LinkForm isTyped={isTyped} makeToken={(seconds) => tokenOf(typed, seconds)} />
        </Section>
      ) : null}
    </>
  );
}
