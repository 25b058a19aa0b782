import type { Heading } from "~/ui/reading/page";

const label = "On this page";

/** What is on the page, beside the text where there is room. */
export function SideContents({ headings }: { headings: Heading[] }) {
  if (headings.length < 3) return null;
  return (
    <nav
      aria-label={label}
      className="sticky top-28 hidden max-h-[calc(100dvh-9rem)] self-start overflow-y-auto text-sm xl:block print:hidden"
    >
      <p className="mb-3 font-strong">{label}</p>
      <Links headings={headings} />
    </nav>
  );
}

/** The same above the text, folded, where there is none. */
export function FoldedContents({ headings }: { headings: Heading[] }) {
  if (headings.length < 3) return null;
  return (
    <details className="mt-8 rounded-md border border-line xl:hidden print:hidden">
      <summary className="min-h-11 px-4 py-2.5">{label}</summary>
      <nav aria-label={label} className="border-t border-line px-4 py-3">
        <Links headings={headings} />
      </nav>
    </details>
  );
}

function Links({ headings }: { headings: Heading[] }) {
  return (
    <ul className="border-l border-line">
      {headings.map(({ id, text, level }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className={`block py-1 hover:underline ${level === 3 ? "pl-8 text-ink-soft hover:text-ink" : "pl-4"}`}
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}
