import type { ReactNode } from "react";
import { Section } from "~/ui/console/section";
import { Message } from "~/ui/primitives/message";

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
