import type { ReactNode } from "react";
import { Form, useLocation } from "react-router";
import { Section } from "~/ui/console/section";
import { Button } from "~/ui/primitives/button";
import { Message } from "~/ui/primitives/message";
import type { WorkspaceWords } from "./workspace-words.server";

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
          {failure}
        </Message>
      ) : null}
      {done ? (
        <Message kind="success" className="mb-5">
          {done}
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
