/** The page's own navigation: one line, which stays in sight on wide screens and scrolls sideways on phones. */
export function OnThisPage({ sections }: { sections: readonly [id: string, title: string][] }) {
  return (
    <nav
      aria-label="On this page"
      className="z-10 mt-8 flex gap-x-6 overflow-x-auto bg-paper text-sm lg:sticky lg:top-0 print:hidden"
    >
      {sections.map(([id, title]) => (
        <a
          key={id}
          href={`#${id}`}
          className="inline-flex min-h-11 items-center whitespace-nowrap text-ink-soft hover:text-ink"
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
