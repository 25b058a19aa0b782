import { Link, NavLink } from "react-router";
import { navigation } from "~/content/chrome";
import { IconButton } from "~/ui/primitives/button";
import { CloseIcon, MenuIcon, MoonIcon, SunIcon } from "~/ui/primitives/icons";
import { BrandLink } from "./brand";
import { EarlyAccess } from "./early-access";
import { SkipLink } from "./skip-link";

/** The fixed bar on top of every page. What it does is in `header.client.ts`, which needs no React. */
export function Header() {
  return (
    <header
      data-chrome
      className="fixed inset-x-0 top-0 z-40 border-b border-line bg-paper print:hidden"
    >
      <SkipLink />
      <div className="page flex h-16 items-center gap-2 sm:gap-4">
        <BrandLink isShort />
        <nav aria-label="Main" className="ml-4 hidden lg:block">
          <ul className="flex">
            {navigation.map((item) => (
              <li key={item.to}>
                <BarLink {...item} />
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center sm:gap-2">
          <SignInLink />
          <div className="max-sm:hidden">
            <ThemeButton />
          </div>
          <EarlyAccess label="Early Access" className="max-sm:px-3 max-sm:text-sm" />
          <MobileMenu />
        </div>
      </div>
    </header>
  );
}

function BarLink({ to, label }: { to: string; label: string }) {
  return (
    <NavLink
      to={to}
      prefetch="intent"
      className={({ isActive }) =>
        `flex h-16 items-center border-y-2 border-transparent px-3 text-sm transition-colors hover:text-ink ${
          isActive ? "border-b-signal text-ink" : "text-ink-soft"
        }`
      }
    >
      {label}
    </NavLink>
  );
}

/** A button for each theme, of which one shows: whether it is pressed is right without script's help. */
function ThemeButton() {
  return (
    <span data-toggles-theme className="inline-flex not-scripted:hidden">
      <span className="dark:hidden">
        <IconButton aria-label="Toggle dark mode" aria-pressed={false}>
          <MoonIcon />
        </IconButton>
      </span>
      <span className="hidden dark:block">
        <IconButton aria-label="Toggle dark mode" aria-pressed>
          <SunIcon />
        </IconButton>
      </span>
    </span>
  );
}

/** In one press at every width; beside it is the way of who is signed in. */
function SignInLink() {
  return (
    <Link
      to="/signin"
      className="inline-flex min-h-11 items-center rounded-md px-2 text-sm font-strong whitespace-nowrap hover:bg-well signed-in:hidden sm:px-3"
    >
      Sign in
    </Link>
  );
}

function MobileMenu() {
  return (
    <details data-menu className="group lg:hidden">
      <summary
        aria-label="Menu"
        className="inline-flex size-11 list-none items-center justify-center rounded-md hover:bg-well [&::-webkit-details-marker]:hidden"
      >
        <MenuIcon className="group-open:hidden" />
        <CloseIcon className="hidden group-open:block" />
      </summary>
      <nav
        aria-label="Main"
        className="absolute inset-x-0 top-16 max-h-[calc(100dvh-4rem)] overflow-auto border-b border-line bg-paper pb-6"
      >
        <ul className="page">
          {navigation.map(({ to, label }) => (
            <li key={to} className="border-b border-line">
              <NavLink
                to={to}
                prefetch="intent"
                className={({ isActive }) =>
                  `flex min-h-14 items-center justify-between text-lg ${isActive ? "text-signal" : ""}`
                }
              >
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
        <div className="page flex justify-end pt-6 sm:hidden">
          <ThemeButton />
        </div>
      </nav>
    </details>
  );
}
