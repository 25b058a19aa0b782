import { useEffect, useState } from "react";
import { Button } from "~/ui/primitives/button";
import { CheckIcon } from "~/ui/primitives/icons";

const messageMs = 2_000;

/** Copies a text. Without script there is nothing to press: the text can be marked and copied. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<"Copied" | "Not allowed: mark the text and copy it">();

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), messageMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("Copied");
    } catch {
      setOutcome("Not allowed: mark the text and copy it");
    }
  }

  return (
    <>
      <Button
        variant="quiet"
        onClick={copy}
        aria-label={label}
        className="px-3 text-sm not-scripted:hidden"
      >
        {outcome === "Copied" ? <CheckIcon width="16" height="16" className="text-signal" /> : null}
        <span>{outcome ?? "Copy"}</span>
      </Button>
      <span role="status" className="sr-only">
        {outcome}
      </span>
    </>
  );
}
