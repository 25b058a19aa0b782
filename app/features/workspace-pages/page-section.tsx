import type { ReactNode } from "react";
import { Message } from "~/ui/primitives/message";

/** One part of a workspace's page: what it is for on the left, what can be done on the right. */
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
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-20 gap-x-12 gap-y-5 border-t border-line py-10 lg:grid-cols-3"
    >
      <div>
        <h2 id={`${id}-title`} className="text-lg">
          {title}
        </h2>
        {intro ? <p className="mt-2 max-w-prose wrap-anywhere text-ink-soft">{intro}</p> : null}
      </div>
      <div className="min-w-0 lg:col-span-2">
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
      </div>
    </section>
  );
}
