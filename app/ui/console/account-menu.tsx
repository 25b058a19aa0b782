import { Form, Link } from "react-router";
import { Icon, MoonIcon, SunIcon } from "~/ui/primitives/icons";

const line =
  "flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-left hover:bg-well focus-visible:-outline-offset-2";

/**
 * The account's address, the theme and the way out. `header.client.ts` closes it, and sets the theme; without script it
 * is opened and closed by its button alone.
 */
export function AccountMenu({ email }: { email: string | undefined }) {
  return (
    <details data-menu className="group relative">
      <summary className="inline-flex min-h-11 min-w-11 list-none items-center justify-center gap-2 rounded-md px-2.5 text-sm text-ink-soft hover:bg-well hover:text-ink group-open:bg-well [&::-webkit-details-marker]:hidden">
        <Icon>
          <circle cx="12" cy="8.5" r="3.5" />
          <path d="M5 20c.6-3.6 3.4-5.5 7-5.5s6.4 1.9 7 5.5" />
        </Icon>
        <span className="sr-only">Account and theme</span>
        <span className="max-w-52 truncate max-md:hidden">{email}</span>
      </summary>
      <div className="absolute right-0 z-40 mt-2 w-[min(18rem,calc(100vw-2.5rem))] rounded-md border border-line-strong bg-raised p-2 text-ink">
        {email ? (
          <p className="mb-2 border-b border-line px-3 pt-1 pb-3 text-sm text-ink-soft">
            Signed in as
            <span className="block text-base wrap-anywhere text-ink">{email}</span>
          </p>
        ) : null}
        <Link to="/dashboard/account" className={line}>
          Account and security
        </Link>
        {/* A button for each theme, of which one shows. */}
        <span data-toggles-theme className="not-scripted:hidden">
          <span className="dark:hidden">
            <button type="button" className={line}>
              <MoonIcon />
              Dark theme
            </button>
          </span>
          <span className="hidden dark:block">
            <button type="button" className={line}>
              <SunIcon />
              Light theme
            </button>
          </span>
        </span>
        <Form method="post" action="/signout" reloadDocument>
          <button type="submit" className={line}>
            Sign out
          </button>
        </Form>
      </div>
    </details>
  );
}
