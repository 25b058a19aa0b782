import { TextLink } from "~/ui/primitives/text-link";

/** Beside each button that begins a plan: that it renews by itself, and what is agreed to. */
export function RenewalTerms({
  interval,
  className = "",
}: {
  interval?: string;
  className?: string;
}) {
  return (
    <p className={`text-sm text-ink-soft ${className}`}>
      Renews automatically {interval ? `each ${interval} ` : ""}until you cancel.{" "}
      <TextLink to="/terms">The terms apply.</TextLink>
    </p>
  );
}
