import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation, useMatches } from "react-router";
import { consoleNavigation } from "~/content/console";
import { BrandLink } from "~/ui/chrome/brand";
import { SkipLink } from "~/ui/chrome/skip-link";
import { AccountMenu } from "./account-menu";
import { Breadcrumbs } from "./breadcrumbs";
import { breadcrumbsOf, type Crumb } from "./console-handle";
import { PaletteButton } from "./palette-button";

/** What stands around every page of the console. `email` is the account's; where nobody can say it, it is left out. */
export function Shell({ email, children }: { email: string | undefined; children: ReactNode }) {
  const crumbs = breadcrumbsOf(useMatches());
  return (
    <>
      <header data-chrome className="border-b border-line print:hidden">
        <SkipLink />
        <div className="page flex h-16 items-center gap-2">
          <BrandLink to="/dashboard" />
          <PaletteButton />
          <AccountMenu email={email} />
        </div>
        <Navigation section={crumbs[0]} />
      </header>
      <main id="content" tabIndex={-1} className="page pb-20 outline-none">
        <Breadcrumbs crumbs={crumbs} />
        {children}
      </main>
    </>
  );
}

/** One line at every width: where it does not fit it scrolls sideways, to the current entry by itself. */
function Navigation({ section }: { section: Crumb | undefined }) {
  const { pathname } = useLocation();
  const bar = useRef<HTMLElement>(null);
  const current = section?.to ?? pathname;
  useEffect(() => {
    const marked = bar.current?.querySelector<HTMLElement>(`[href="${CSS.escape(current)}"]`);
    if (!bar.current || !marked) return;
    bar.current.scrollLeft = marked.offsetLeft - (bar.current.clientWidth - marked.offsetWidth) / 2;
  }, [current]);
  return (
    <nav
      ref={bar}
      aria-label="Console"
      className="page relative flex gap-x-5 overflow-x-auto text-sm [scrollbar-width:none] sm:gap-x-6"
    >
      {consoleNavigation.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          aria-current={to === current ? (to === pathname ? "page" : "true") : undefined}
          className="flex min-h-11 shrink-0 items-center border-b-2 border-transparent text-ink-soft hover:text-ink focus-visible:-outline-offset-2 aria-[current]:border-signal aria-[current]:font-strong aria-[current]:text-ink aria-[current]:[scroll-initial-target:nearest]"
        >
          {label}
        </Link>
      ))}
      <Link
        to="/docs"
        className="ml-auto flex min-h-11 shrink-0 items-center border-b-2 border-transparent pl-5 text-ink-soft hover:text-ink hover:underline focus-visible:-outline-offset-2"
      >
        Site and docs
      </Link>
    </nav>
  );
}
