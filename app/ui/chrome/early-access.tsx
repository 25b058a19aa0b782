import { LinkButton } from "~/ui/primitives/button";

/**
 * Leads to the sign-up, and who is signed in to the dashboard. Public pages are the same for everybody; the
 * first-paint script chooses which of the two shows.
 */
export function EarlyAccess({ label, className = "" }: { label: string; className?: string }) {
  return (
    <>
      <LinkButton to="/signup" className={`signed-in:hidden ${className}`}>
        {label}
      </LinkButton>
      <LinkButton to="/dashboard" className={`signed-out:hidden ${className}`}>
        Dashboard
      </LinkButton>
    </>
  );
}
