import type { ReactNode } from "react";

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
      <div className="min-w-0">{children}</div>
    </section>
  );
}
