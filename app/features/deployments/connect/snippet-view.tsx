import { TextLink } from "~/ui/primitives/text-link";
import { CodeBox } from "./code-box";
import type { Snippet } from "./snippets";

/** Code for one language: which package it needs, the code itself, and where more about it is. */
export function SnippetView({
  snippet: { about, file, language, code },
  page,
}: {
  snippet: Snippet;
  page: string;
}) {
  const parts = about.split("`").map((text, place) => ({ text, isName: place % 2 === 1 }));
  return (
    <>
      <p className="mb-4 text-sm text-ink-soft wrap-anywhere">
        {parts.map(({ text, isName }) =>
          isName ? (
            <code key={text} className="font-mono text-ink">
              {text}
            </code>
          ) : (
            text
          ),
        )}
      </p>
      <CodeBox name={file} content={code} language={language} />
      <TextLink to={page} variant="standalone" className="mt-2 text-sm">
        More about it in the documentation
      </TextLink>
    </>
  );
}
