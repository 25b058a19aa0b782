import { useEffect, useRef } from "react";
import { LinkButton } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { CopyButton } from "~/ui/primitives/copy-button";
import { Message } from "~/ui/primitives/message";
import { pressable } from "~/ui/primitives/text-link";
import type { AccountOutcome } from "../account-outcome";
import { AccountButton, AccountForm, useReturn } from "../account-section";
import type { AccountView } from "../account-view.server";

/** How many recovery codes are left, and the button that makes new ones. */
export function RecoveryCodesLeft({ view: { codesLeft, recent, words } }: { view: AccountView }) {
  const { codes } = words;
  return (
    <div className="mt-8">
      <h3 className="font-strong">{codes.title}</h3>
      <p className="mt-1 max-w-prose text-ink-soft">
        {codesLeft === undefined
          ? codes.unknown
          : codesLeft === 0
            ? codes.none
            : codes.left.replace("{left}", String(codesLeft))}
      </p>
      {recent ? (
        <AccountForm
          section="second-factor"
          intent="renew_codes"
          className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2"
        >
          <AccountButton variant="secondary">
            {codesLeft === 0 ? codes.make : codes.renew}
          </AccountButton>
          {codesLeft === 0 ? null : (
            <span className="text-sm text-ink-soft">{codes.renewHint}</span>
          )}
        </AccountForm>
      ) : null}
    </div>
  );
}

/** New recovery codes, with buttons to copy, download and print them. They are shown only once. */
export function NewRecoveryCodes({
  outcome,
  words: { codes: labels },
}: {
  outcome: Extract<AccountOutcome, { state: "codes" }>;
  words: AccountView["words"];
}) {
  const { codes, why } = outcome;
  const keep = useWarningBeforeLeaving(labels.leave);
  const text = labels.fileText.replace("{codes}", codes.join("\n"));
  return (
    <Card className="mb-8">
      <Message kind="success">{labels[why]}</Message>
      <h3 className="mt-6 font-strong">{labels.title}</h3>
      <p className="mt-1 max-w-prose">{labels.once}</p>
      <ol
        aria-label={labels.listLabel}
        className="mt-5 grid gap-x-8 gap-y-2 font-mono text-sm select-all sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="border-b border-line pb-2 tabular-nums">
            {code}
          </li>
        ))}
      </ol>
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <LinkButton
          to={useReturn() ?? "/dashboard/account?done=codes-kept#second-factor"}
          onClick={keep}
          data-kept
          variant="secondary"
        >
          {labels.kept}
        </LinkButton>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download={labels.fileName}
          className={`inline-flex min-h-11 items-center px-3 ${pressable}`}
        >
          {labels.download}
        </a>
        <CopyButton text={codes.join("\n")} label={labels.copy} />
      </div>
    </Card>
  );
}

/**
 * Asks the question before the page is closed, or left by a link or a form. Call the returned function to allow
 * leaving. It listens to links and forms itself, because React Router's blocker would enlarge the script of every
 * page.
 */
function useWarningBeforeLeaving(question: string): () => void {
  const mayLeave = useRef(false);

  useEffect(() => {
    const askOnClosing = (event: BeforeUnloadEvent) => {
      if (!mayLeave.current) event.preventDefault();
    };
    const ask = (event: Event) => {
      const leaves =
        event.type === "submit" ||
        (event.target instanceof Element &&
          event.target.closest(`a[href]:not([download], [data-kept], [href^="#"])`));
      if (mayLeave.current || !leaves) return;
      mayLeave.current = window.confirm(question);
      if (mayLeave.current) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("beforeunload", askOnClosing);
    document.addEventListener("click", ask, true);
    document.addEventListener("submit", ask, true);
    return () => {
      window.removeEventListener("beforeunload", askOnClosing);
      document.removeEventListener("click", ask, true);
      document.removeEventListener("submit", ask, true);
    };
  }, [question]);

  return () => {
    mayLeave.current = true;
  };
}
