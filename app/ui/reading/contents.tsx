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

/** A page's sections with what is in each, side by side. */
export function SectionMap({ headings }: { headings: Heading[] }) {
  const sections = headings.flatMap((section, index) => {
    if (section.level !== 2) return [];
    const next = headings.findIndex(({ level }, later) => later > index && level === 2);
    return [{ section, parts: headings.slice(index + 1, next === -1 ? undefined : next) }];
  });
  return (
    <nav aria-label="Sections" className="mt-10 print:hidden">
      <ul className="grid gap-8 border-t border-line-strong pt-6 sm:grid-cols-3">
        {sections.map(({ section, parts }) => (
          <li key={section.id}>
            <a href={`#${section.id}`} className="font-strong hover:underline">
              {section.text}
            </a>
            <ul className="mt-2">
              {parts.map(({ id, text }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className="block py-1 text-ink-soft hover:text-ink hover:underline"
                  >
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}
