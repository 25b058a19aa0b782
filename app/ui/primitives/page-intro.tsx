import type { ReactNode } from "react";

/** The head of a page: its one h1, and a paragraph that says what the page is for. */
export function PageIntro({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="pt-16 pb-12 sm:pt-24">
      <h1 className="max-w-[20ch] text-3xl">{title}</h1>
      {children ? <div className="mt-5 max-w-prose text-lg text-ink-soft">{children}</div> : null}
    </div>
  );
}
