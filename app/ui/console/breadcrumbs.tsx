import { Link } from "react-router";
import type { Crumb } from "./console-handle";

/** The way to this page. A page that the navigation itself leads to needs none. */
export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
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
