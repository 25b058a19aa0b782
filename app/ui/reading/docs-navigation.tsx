import { NavLink } from "react-router";
import { docsGroups } from "~/content/reading";
import { Search } from "./search/search";

const label = "Documentation";

/**
 * The pages of the documentation by group, the current one marked: a column that scrolls by itself, or folded on a
 * narrow screen, where so many pages would stand before the text.
 */
export function DocsNavigation() {
  return (
    <div className="grid gap-4 lg:max-h-[calc(100dvh-9rem)] lg:grid-rows-[auto_minmax(0,1fr)] lg:gap-6">
      <Search />
      <nav
        aria-label={label}
        className="hidden overflow-y-auto overscroll-contain text-sm lg:block print:hidden"
      >
        <Groups />
      </nav>
      <details className="rounded-md border border-line text-sm lg:hidden print:hidden">
        <summary className="min-h-11 px-4 py-3">All pages of the documentation</summary>
        <nav aria-label={label} className="border-t border-line px-4 py-4">
          <Groups />
        </nav>
      </details>
    </div>
  );
}

function Groups() {
  return (
    <ul className="grid gap-x-5 gap-y-6 sm:grid-cols-3 lg:grid-cols-1">
      {docsGroups.map(({ title, pages }) => (
        // A browser that can scrolls the column to the group of the current page.
        <li key={title} className="lg:has-aria-[current=page]:[scroll-initial-target:nearest]">
          <p className="mb-1.5 font-strong">{title}</p>
          <ul className="border-l border-line">
            {pages.map(({ to, label }) => (
              <li key={to}>
                <NavLink
                  to={to}
                  end
                  className={({ isActive }) =>
                    `-ml-px flex min-h-11 items-center border-l-2 pl-4 lg:min-h-8 ${
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
        </li>
      ))}
    </ul>
  );
}
