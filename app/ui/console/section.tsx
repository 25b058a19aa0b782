import { Component, type ReactNode } from "react";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";

/** A part of a console's page: its title and what it is for on the left, its content on the right. */
export function Section({
  id,
  title,
  detail,
  wide = false,
  children,
}: {
  id: string;
  title: string;
  detail?: ReactNode;
  /** The content takes the whole width, below its title. */
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={`grid scroll-mt-28 gap-x-10 gap-y-5 border-t border-line py-10 print:block print:py-4 ${wide ? "" : "lg:grid-cols-[1fr_2.4fr]"}`}
    >
      <div className="print:mb-3 print:break-after-avoid">
        <h2 id={`${id}-title`} className="text-xl">
          {title}
        </h2>
        {detail ? (
          <p className="mt-2 max-w-prose text-sm wrap-anywhere text-ink-soft">{detail}</p>
        ) : null}
      </div>
      <div className="min-w-0">
        <Part>{children}</Part>
      </div>
    </section>
  );
}

/** Where its content breaks in the browser, as by what an extension did to the page, the rest of the page stays. */
class Part extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <Message kind="failure">
        <p>
          This part of the page broke in your browser. Nothing that was saved is lost, and the rest
          works.
        </p>
        <TextLink to="." reloadDocument variant="standalone">
          Load the page again
        </TextLink>
      </Message>
    );
  }
}
