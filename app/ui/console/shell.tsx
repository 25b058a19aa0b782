import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation, useMatches } from "react-router";
import { consoleNavigation } from "~/content/console";
import { BrandLink } from "~/ui/chrome/brand";
import { SkipLink } from "~/ui/chrome/skip-link";
import { AccountMenu } from "./account-menu";
import { breadcrumbsOf, type Crumb } from "./console-handle";
import { PaletteButton } from "./palette-button";
import { WorkspaceSwitcher, type Workspaces } from "./workspace-switcher";

/**
 * What stands around every page of the console. `email` is the account's; where nobody can say it, it is left out.
 * `base` is what the addresses begin with.
 */
export function Shell({
  email,
  base,
  workspaces,
  mayBill,
  banner,
  children,
}: {
  email: string | undefined;
  base: string;
  /** Undefined for somebody who has one workspace and is alone there. */
  workspaces: Workspaces | undefined;
  /** Whether the role of the open workspace allows its billing. */
  mayBill: boolean;
  /** What is said above every page. */
  banner?: ReactNode;
  children: ReactNode;
}) {
  const crumbs = breadcrumbsOf(useMatches(), base);
  return (
    <>
      <header data-chrome className="border-b border-line print:hidden">
        <SkipLink />
        <div className="page flex h-16 items-center gap-2">
          <BrandLink to={base} isShort={workspaces !== undefined} />
          {workspaces ? <WorkspaceSwitcher {...workspaces} /> : null}
          <PaletteButton base={base} />
          <AccountMenu email={email} base={workspaces ? undefined : base} />
        </div>
        <Navigation base={base} section={crumbs[0]} mayBill={mayBill} />
      </header>
      {banner}
      <main id="content" tabIndex={-1} className="page pb-20 outline-none">
        <Breadcrumbs crumbs={crumbs} />
        {children}
      </main>
    </>
  );
}

/** One line at every width: where it does not fit it scrolls sideways, to the current entry by itself. */
function Navigation({
  base,
  section,
  mayBill,
}: {
  base: string;
  section: Crumb | undefined;
  mayBill: boolean;
}) {
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
      {consoleNavigation(base, mayBill).map(({ to, label }) => (
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

/** The way to this page. A page that the navigation itself leads to needs none. */
function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  if (crumbs.length < 2) return null;
  const last = crumbs.length - 1;
  return (
    <nav aria-label="Breadcrumbs" className="-mb-5 pt-4 text-sm print:hidden">
      <ol className="flex flex-wrap gap-x-2 text-ink-soft">
        {crumbs.map(({ to, label }, place) => (
          <li key={to} className="flex min-w-0 items-center gap-2">
            <Link
              to={to}
              aria-current={place === last ? "page" : undefined}
              className="min-h-9 content-center wrap-anywhere hover:text-ink aria-[current=page]:text-ink"
            >
              {label}
            </Link>
            {place < last ? <span aria-hidden="true">/</span> : null}
          </li>
        ))}
      </ol>
    </nav>
  );
}
