import { type ComponentProps, createElement, type HTMLAttributes } from "react";

const variants = {
  raised: "border-line bg-raised",
  /** Without a background of its own. */
  flat: "border-line",
  /** The one that counts now. */
  marked: "border-ink bg-raised",
  /** What holds files or code. */
  strong: "border-line-strong bg-raised",
  warning: "border-warning bg-warning-well",
  failure: "border-failure bg-failure-well",
} as const;

type Elements = "div" | "section" | "ul" | "li" | "details" | "figure";

type CardProps = {
  variant?: keyof typeof variants;
  /** Leaves out the padding: what is inside reaches the border. */
  flush?: boolean;
} & (
  | ({ as?: "div" } & ComponentProps<"div">)
  | { [Name in Elements]: { as: Name } & ComponentProps<Name> }[Elements]
);

/** A box around what belongs together. `as` names its element. */
export function Card({
  as = "div",
  variant = "raised",
  flush,
  className = "",
  ...rest
}: CardProps) {
  const padding = flush ? "" : "p-6 sm:p-8";
  return createElement<HTMLAttributes<HTMLElement>>(as, {
    className: `rounded-lg border ${variants[variant]} ${padding} ${className}`,
    ...rest,
  });
}
