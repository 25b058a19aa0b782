import { useEffect, useState } from "react";
import { ScrollRegion } from "~/ui/primitives/scroll-region";
import type { Run } from "./highlighter";

const variants = {
  name: "font-strong",
  value: "text-signal",
  quiet: "text-ink-soft",
} as const;

/**
 * A file as text. Its tones come with script, when the highlighter has arrived: the words are
 * there before, and stay where they are.
 */
export function Code({
  content,
  language,
  label,
  height = "max-h-[36rem]",
}: {
  content: string;
  language: string;
  label: string;
  /** How tall it may be before it scrolls, as a class. */
  height?: string;
}) {
  const [toned, setToned] = useState<{ content: string; runs: Run[] }>();

  useEffect(() => {
    // Only a browser runs effects; saying so keeps the highlighter out of the Worker.
    if (import.meta.env.SSR) return;
    let isMounted = true;
    import("./highlighter").then(
      ({ highlight }) => {
        if (isMounted) setToned({ content, runs: highlight(content, language) });
      },
      // Without the highlighter the text stays plain.
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [content, language]);

  let at = 0;
  return (
    <ScrollRegion label={label} className={`${height} overflow-auto`}>
      <pre
        translate="no"
        className="px-4 py-4 font-mono text-sm leading-relaxed wrap-anywhere whitespace-pre-wrap"
      >
        <code>
          {toned?.content === content
            ? toned.runs.map(({ text, tone }) => {
                const key = at;
                at += text.length;
                return (
                  <span key={key} className={tone && variants[tone]}>
                    {text}
                  </span>
                );
              })
            : content}
        </code>
      </pre>
    </ScrollRegion>
  );
}
