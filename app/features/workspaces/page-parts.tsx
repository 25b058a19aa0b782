import type { ReactNode } from "react";
import { Form, useLocation, useNavigation } from "react-router";
import { Section } from "~/ui/console/section";
import { Button } from "~/ui/primitives/button";
import { CopyButton } from "~/ui/primitives/copy-button";
import { Message } from "~/ui/primitives/message";
import { pressable, TextLink } from "~/ui/primitives/text-link";
import type { WorkspaceWords } from "./workspace-words.server";

/** A page of what belongs to a workspace, whose reference is in the documentation. */
export function WorkspacePage({
  title,
  intro,
  docs,
  failure,
  children,
}: {
  title: string;
  intro: string;
  docs: { to: string; label: string };
  /** Why the page cannot show what it is about. */
  failure: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="pt-8">
      <h1 className="text-2xl">{title}</h1>
      <p className="mt-3 max-w-prose text-lg wrap-anywhere text-ink-soft">
        {intro}{" "}
        <TextLink to={docs.to} className="text-ink">
          {docs.label}
        </TextLink>
      </p>
      {failure ? (
        <Message kind="failure" className="mt-6">
          {failure}
        </Message>
      ) : null}
      <div className="mt-8">{children}</div>
    </div>
  );
}

/** A sentence in which what a machine reads stands between backticks. */
export function CodedText({ text }: { text: string }) {
  const pieces = text.split("`");
  return pieces.map((piece, at) => {
    const key = pieces.slice(at).join("`");
    return at % 2 === 1 ? (
      <code key={key} className="font-mono text-ink">
        {piece}
      </code>
    ) : (
      <span key={key}>{piece}</span>
    );
  });
}

/** One part of a workspace's page, above whose content stands what became of its form. */
export function PageSection({
  id,
  title,
  intro,
  failure,
  done,
  children,
}: {
  id: string;
  title: string;
  intro?: ReactNode;
  /** Why the form of this part that was just sent changed nothing. */
  failure?: string | undefined;
  done?: string | undefined;
  children: ReactNode;
}) {
  return (
    <Section id={id} title={title} detail={intro}>
      {failure ? (
        <Message kind="failure" className="mb-5">
          <CodedText text={failure} />
        </Message>
      ) : null}
      {done ? (
        <Message kind="success" className="mb-5">
          <CodedText text={done} />
        </Message>
      ) : null}
      {children}
    </Section>
  );
}

/** Signs out and in again, and leads back here: for changes that need a recent sign-in. */
export function SignInAgain({ words }: { words: WorkspaceWords }) {
  const { pathname } = useLocation();
  return (
    <Form method="post" action="/dashboard/account" reloadDocument>
      <input type="hidden" name="intent" value="sign_in_again" />
      <input type="hidden" name="next" value={pathname} />
      <Button type="submit" variant="secondary">
        {words.settings.signInAgain}
      </Button>
    </Form>
  );
}

/** In place of a form that needs a recent sign-in when the last one is too long ago. */
export function RecentOnly({ words }: { words: WorkspaceWords }) {
  return (
    <>
      <p className="mb-3">{words.settings.recentOnly}</p>
      <SignInAgain words={words} />
    </>
  );
}

/** A form that says what is lost before its button can be pressed. It opens without script. */
export function ConfirmedForm({
  summary,
  says,
  button,
  about,
  fields,
  ...rest
}: {
  summary: string;
  says: string;
  button: string;
  /** Whom or what it is about, for a screen reader, where the words do not say so. */
  about?: string;
  fields: Readonly<Record<string, string>>;
  action?: string;
}) {
  const isSending = useNavigation().state !== "idle";
  const unseen = about === undefined ? null : <span className="sr-only"> ({about})</span>;
  return (
    <details>
      <summary className={`min-h-11 content-center wrap-anywhere ${pressable}`}>
        {summary}
        {unseen}
      </summary>
      <Form
        method="post"
        noValidate
        preventScrollReset
        className="grid max-w-prose justify-items-start gap-4 pt-1 pb-4"
        {...rest}
      >
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <p className="wrap-anywhere">{says}</p>
        <Button type="submit" variant="danger" disabled={isSending}>
          {button}
          {unseen}
        </Button>
      </Form>
    </details>
  );
}

/** A token or a secret that is shown this once. */
export function NewSecret({ says, secret, copy }: { says: string; secret: string; copy: string }) {
  return (
    <Message kind="success" className="mb-6">
      <p>{says}</p>
      <p className="mt-2 flex flex-wrap items-center gap-3">
        <code className="min-w-0 break-all text-ink">{secret}</code>
        <CopyButton text={secret} label={copy} />
      </p>
    </Message>
  );
}
