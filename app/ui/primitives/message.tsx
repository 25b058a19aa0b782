import type { ReactNode } from "react";

const variants = {
  failure: "border-failure bg-failure-well text-failure",
  warning: "border-warning bg-warning-well text-warning",
  /** What somebody else sees to. */
  neutral: "border-line-strong bg-well text-ink",
  success: "border-signal bg-signal-well text-signal",
} as const;

/** What happened, in a box. Failures interrupt a screen reader; the rest waits its turn. */
export function Message({
  kind,
  children,
  className = "",
}: {
  kind: keyof typeof variants;
  children: ReactNode;
  className?: string;
}) {
  return (
    <div
      role={kind === "failure" ? "alert" : "status"}
      className={`rounded-md border px-4 py-3 ${variants[kind]} ${className}`}
    >
      {children}
    </div>
  );
}
