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
      <span>{`Renews automatically ${interval ? `each ${interval} ` : ""}until you cancel. `}</span>
      <TextLink to="/terms">The terms apply.</TextLink>
    </p>
  );
}
