import { useEffect } from "react";
import { CheckIcon } from "~/ui/primitives/icons";
import { watchBootStrip } from "./boot-strip.client";

/**
 * The stages of a first boot, reached one after the other while somebody looks. Without script, and where less motion is
 * wanted, all are reached.
 */
export function BootStrip({ stages }: { stages: readonly string[] }) {
  // A link from a page with React leads here without a new document.
  useEffect(watchBootStrip, []);
  return (
    <figure className="mt-12">
      <figcaption className="text-ink-soft">A first boot, as the console follows it:</figcaption>
      <ol data-boot className="boot-strip mt-4 grid gap-x-3 gap-y-2 md:grid-cols-7">
        {stages.map((stage) => (
          <li
            key={stage}
            className="flex items-center gap-2 border-t-2 border-signal pt-3 font-mono text-sm max-md:border-t-0 max-md:border-l-2 max-md:py-1 max-md:pl-3"
          >
            <CheckIcon width="16" height="16" className="shrink-0 text-signal" />
            {stage}
          </li>
        ))}
      </ol>
    </figure>
  );
}
