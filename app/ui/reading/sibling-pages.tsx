import { Link, NavLink } from "react-router";
import type { PageLink } from "~/content/reading";
import { ArrowIcon } from "~/ui/primitives/icons";

/** The pages that belong together, the current one marked: a column, or a row on a narrow screen. */
export function SiblingNavigation({ label, pages }: { label: string; pages: readonly PageLink[] }) {
  return (
    <nav aria-label={label} className="text-sm print:hidden">
      <p className="mb-3 hidden font-strong lg:block">{label}</p>
      <ul className="flex flex-wrap gap-x-5 border-b border-line lg:block lg:border-b-0 lg:border-l">
        {pages.map(({ to, label }) => (
          <li key={to}>
            <NavLink
              to={to}
              end
              className={({ isActive }) =>
                `-mb-px flex min-h-11 items-center border-b-2 lg:mb-0 lg:-ml-px lg:min-h-9 lg:border-b-0 lg:border-l-2 lg:pl-4 ${
                  isActive
                    ? "border-signal text-ink"
                    : "border-transparent text-ink-soft hover:text-ink"
                }`
              }
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The page before and the page after, in reading order. */
export function BeforeAndAfter({
  label,
  before,
  after,
}: {
  label: string;
  before?: PageLink | undefined;
  after?: PageLink | undefined;
}) {
  return (
    <nav
      aria-label={label}
      className="mt-16 grid gap-px border-t border-line pt-4 sm:grid-cols-2 sm:gap-8 print:hidden"
    >
      <div>{before ? <Step direction="Previous" {...before} /> : null}</div>
      <div className="sm:text-right">{after ? <Step direction="Next" {...after} /> : null}</div>
    </nav>
  );
}

function Step({ direction, to, label }: PageLink & { direction: "Previous" | "Next" }) {
  return (
    <Link to={to} className="inline-block py-2 hover:underline">
      <span className="block text-sm text-ink-soft">{direction}</span>
      <span className="inline-flex items-center gap-2 font-strong">
        {direction === "Previous" ? <ArrowIcon className="shrink-0 rotate-180" /> : null}
        <span>{label}</span>
        {direction === "Next" ? <ArrowIcon className="shrink-0" /> : null}
      </span>
    </Link>
  );
}
