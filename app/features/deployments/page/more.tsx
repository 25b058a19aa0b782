import type { ReactNode } from "react";

/** What can be opened below a line that says what it is. */
export function More({
  summary,
  open = false,
  children,
}: {
  summary: string;
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={open} className="min-w-0 print:not-open:hidden">
      <summary className="min-h-11 cursor-pointer content-center text-sm text-ink-soft hover:text-ink">
        {summary}
      </summary>
      {children}
    </details>
  );
}
