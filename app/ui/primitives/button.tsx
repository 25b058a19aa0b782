import type { AnchorHTMLAttributes, ComponentProps } from "react";
import { Link, type LinkProps } from "react-router";

const variants = {
  /** The one thing to press on a screen. */
  primary: "bg-signal text-on-signal hover:bg-signal-press disabled:opacity-60",
  secondary:
    "border border-line-strong bg-raised text-ink hover:border-ink disabled:text-ink-soft disabled:border-line",
  quiet: "text-ink hover:bg-well",
  danger: "border border-failure text-failure bg-raised hover:bg-failure-well",
} as const;

const shape =
  "inline-flex min-h-11 items-center justify-center gap-2 rounded-md print:hidden px-5 py-2 text-center font-strong transition-colors disabled:cursor-not-allowed";

type Variant = { variant?: keyof typeof variants };

/** Sends no form unless its type is set: it is `button` by default, not `submit`. */
export function Button({
  variant = "primary",
  className = "",
  type = "button",
  ...rest
}: ComponentProps<"button"> & Variant) {
  return <button type={type} className={`${shape} ${variants[variant]} ${className}`} {...rest} />;
}

export function LinkButton({ variant = "primary", className = "", ...rest }: LinkProps & Variant) {
  return <Link className={`${shape} ${variants[variant]} ${className}`} {...rest} />;
}

/** A link that loads a new document, for what React shows where no router runs. */
export function DocumentLinkButton({
  variant = "primary",
  className = "",
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & Variant) {
  return <a className={`${shape} ${variants[variant]} ${className}`} {...rest} />;
}

/** A square button that shows an icon; `aria-label` says what it does. */
export function IconButton({
  className = "",
  type = "button",
  ...rest
}: ComponentProps<"button"> & { "aria-label": string }) {
  return (
    <button
      type={type}
      className={`inline-flex size-11 items-center justify-center rounded-md text-ink-soft print:hidden transition-colors hover:bg-well hover:text-ink ${className}`}
      {...rest}
    />
  );
}
