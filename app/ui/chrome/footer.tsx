import { Link } from "react-router";
import { brand, communityLinks, footerGroups, notAffiliated } from "~/content/chrome";
import { LinkButton } from "~/ui/primitives/button";
import { BrandLink } from "./brand";
import { EarlyAccess } from "./early-access";

/** The foot of every page. */
export function Footer() {
  return (
    <footer data-chrome className="mt-24 border-t border-line bg-well print:hidden">
      <div className="page grid gap-12 py-16 lg:grid-cols-[1fr_2fr]">
        <div>
          <BrandLink />
          <p className="mt-3 max-w-xs text-ink-soft">
            Your own LiveKit server, on your own cloud, set up the way production needs it.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <EarlyAccess label="Get Early Access" />
            <LinkButton to="/docs" variant="secondary">
              View Documentation
            </LinkButton>
          </div>
        </div>
        <div className="grid grid-cols-2 gap-8 sm:grid-cols-4">
          {footerGroups.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <h2 className="text-sm">{title}</h2>
              <ul className="mt-3">
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <Link
                      to={to}
                      prefetch="intent"
                      className="inline-flex min-h-9 items-center text-sm text-ink-soft hover:text-ink hover:underline"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
      </div>
      <div className="page">
        <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line py-6 text-sm text-ink-soft">
          <p className="flex flex-wrap gap-x-6">
            <span suppressHydrationWarning>{`© 2023–${new Date().getUTCFullYear()} ${brand}`}</span>
            <span>{notAffiliated}</span>
          </p>
          <ul aria-label="LiveKit's own community" className="flex flex-wrap items-center gap-x-6">
            <li aria-hidden="true" className="max-sm:basis-full">
              LiveKit's own community:
            </li>
            {communityLinks.map(({ href, label }) => (
              <li key={href}>
                <a
                  href={href}
                  target="_blank"
                  rel="noreferrer"
                  className="inline-flex min-h-9 items-center hover:text-ink hover:underline"
                >
                  {label}
                  <span className="sr-only"> (opens in a new tab)</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </footer>
  );
}
