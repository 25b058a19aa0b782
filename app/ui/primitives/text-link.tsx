import type { ComponentProps } from "react";
import { Link, type LinkProps } from "react-router";

/** How a word looks that can be pressed within text. */
export const pressable = "underline underline-offset-4 hover:text-signal";

const variants = {
  inline: "",
  /** On a line of its own: tall enough for a finger. */
  standalone: "inline-flex min-h-11 items-center",
} as const;

type Variant = { variant?: keyof typeof variants };

/** A link within text, to a page of ours or to another site. */
export function TextLink({ variant = "inline", className = "", ...rest }: LinkProps & Variant) {
  return <Link className={`${pressable} ${variants[variant]} ${className}`} {...rest} />;
}

/** A button that looks like a link within text, for what changes something. */
export function TextButton({
  variant = "inline",
  className = "",
  type = "button",
  ...rest
}: ComponentProps<"button"> & Variant) {
  return (
    <button type={type} className={`${pressable} ${variants[variant]} ${className}`} {...rest} />
  );
}
