import type { ComponentProps } from "react";

const variants = {
  success: "bg-signal-well px-2.5 py-1 font-strong text-signal",
  warning: "bg-warning-well px-2.5 py-1 font-strong text-warning",
  /** What cannot wait: stands out from the rest at a glance. */
  failure: "bg-failure px-2.5 py-1 font-strong text-paper",
  /** A state that is over, or that nothing follows from. */
  neutral: "bg-well px-2.5 py-1 font-strong text-ink-soft",
  /** What kind of thing it is, beside its name. */
  outline: "border border-line-strong px-1.5 font-mono font-normal text-ink-soft",
} as const;

export type BadgeVariant = keyof typeof variants;

/** A word or two about the state of what stands beside it. */
export function Badge({
  variant,
  className = "",
  ...rest
}: ComponentProps<"span"> & { variant: BadgeVariant }) {
  return (
    <span
      className={`rounded-sm text-sm print:border print:border-ink print:bg-transparent print:text-ink ${variants[variant]} ${className}`}
      {...rest}
    />
  );
}
