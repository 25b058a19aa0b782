import type { ReactNode } from "react";

/** A section across the page: its title and what it is about on the left, `children` on the right. */
export function Band({
  id,
  title,
  detail,
  children,
}: {
  id: string;
  title: string;
  detail: ReactNode;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="border-t border-line">
      <div className="page grid grid-cols-1 gap-10 py-20 lg:grid-cols-[1fr_1.6fr]">
        <div>
          <h2 id={id} className="text-2xl">
            {title}
          </h2>
          {detail}
        </div>
        {children}
      </div>
    </section>
  );
}
