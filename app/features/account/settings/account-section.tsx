import type { ReactNode } from "react";
import { Form, type FormProps, useNavigation, useSearchParams } from "react-router";
import { nextPath } from "~/http/page-addresses";
import { Section } from "~/ui/console/section";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { AccountOutcome, Section as SectionId } from "./account-outcome";
import type { AccountView } from "./account-view.server";

export type SectionProps = { view: AccountView; outcome: AccountOutcome | undefined };

/** One part of the account page, above whose content stands what became of its forms. */
export function AccountSection({
  id,
  title,
  intro,
  view,
  outcome,
  children,
}: SectionProps & { id: SectionId; title: string; intro: string; children?: ReactNode }) {
  const mine = outcome?.section === id ? outcome : undefined;
  const notice = !outcome && view.notice?.section === id ? view.notice : undefined;
  return (
    <Section id={id} title={title} detail={intro}>
      {mine?.state === "failed" && mine.field ? (
        // The message is visible at its field, so here it is only for screen readers.
        <div role="alert" className="sr-only">
          {mine.message}
        </div>
      ) : null}
      {mine?.state === "failed" && !mine.field ? (
        <Message kind="failure" className="mb-5">
          <span>{mine.message}</span>
          {mine.reasons ? (
            <ul className="mt-1.5 list-disc pl-5">
              {mine.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          ) : null}
        </Message>
      ) : null}
      {notice ? (
        <Message kind={notice.kind} className="mb-5">
          {notice.message}
        </Message>
      ) : null}
      {children}
    </Section>
  );
}

/** A form of one section. It works without JavaScript, and the answer shows the same section. */
export function AccountForm({
  section,
  intent,
  children,
  ...rest
}: { section: SectionId; intent: string; children: ReactNode } & Omit<FormProps, "action">) {
  return (
    <Form
      method="post"
      action={accountSection(section, useReturn())}
      replace
      noValidate
      preventScrollReset
      {...rest}
    >
      <input type="hidden" name="intent" value={intent} />
      {children}
    </Form>
  );
}

/** The button of such a form. It is disabled while any form is being sent. */
export function AccountButton({ children, ...rest }: Parameters<typeof Button>[0]) {
  return (
    <Button type="submit" disabled={useNavigation().state !== "idle"} {...rest}>
      {children}
    </Button>
  );
}

/** A form that signs out and in again, for actions that need a recent sign-in. */
export function SignInAgain({ words }: { words: AccountView["words"] }) {
  const next = useReturn();
  return (
    <AccountForm section="password" intent="sign_in_again" reloadDocument>
      {next ? (
        <input type="hidden" name="next" value={accountSection("second-factor", next)} />
      ) : null}
      <AccountButton variant="secondary">{words.signInAgain}</AccountButton>
    </AccountForm>
  );
}

/** Replaces an action that needs a recent sign-in when the sign-in is too long ago. */
export function RecentOnly({ words }: { words: AccountView["words"] }) {
  return (
    <div className="mt-6">
      <p className="mb-3">{words.recentOnly}</p>
      <SignInAgain words={words} />
    </div>
  );
}

/** Replaces what an account of single sign-on cannot change here. */
export function Managed({ words }: { words: AccountView["words"] }) {
  return <p className="mt-3 max-w-prose text-ink-soft">{words.managed}</p>;
}

/** Where somebody who was asked to set up a second factor wants to go on; undefined where nobody asked. */
export function useReturn(): string | undefined {
  const [search] = useSearchParams();
  return nextPath(search.get("next"), "") || undefined;
}

/** The address of a section of the account page, from which they can still go on there. */
export function accountSection(section: string, next: string | undefined): string {
  const query = next ? `?${new URLSearchParams({ next })}` : "";
  return `/dashboard/account${query}#${section}`;
}
