import { Link } from "react-router";
import { brand } from "~/content/chrome";

/** Three participants that meet in one node. */
export function BrandMark(props: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" fill="none" aria-hidden="true" {...props}>
      <path
        d="M16 16L6 7M16 16L26 7M16 16v11"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <circle cx="6" cy="7" r="3" fill="var(--paper)" stroke="currentColor" strokeWidth="2" />
      <circle cx="26" cy="7" r="3" fill="var(--paper)" stroke="currentColor" strokeWidth="2" />
      <circle cx="16" cy="27" r="3" fill="var(--paper)" stroke="currentColor" strokeWidth="2" />
      <circle cx="16" cy="16" r="4.5" fill="var(--signal)" />
    </svg>
  );
}

/** `isShort` hides the name on a narrow screen; screen readers still read it. */
export function BrandLink({ to = "/", isShort }: { to?: string; isShort?: boolean }) {
  return (
    <Link
      to={to}
      prefetch={to === "/" ? "intent" : "none"}
      className="inline-flex min-h-11 items-center gap-2.5 font-strong tracking-tight whitespace-nowrap"
    >
      <BrandMark className="shrink-0" />
      <span className={isShort ? "max-sm:sr-only" : undefined}>{brand}</span>
    </Link>
  );
}
