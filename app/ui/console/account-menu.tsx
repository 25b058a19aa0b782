import { Form, Link } from "react-router";
import { workspaceMenu } from "~/content/console";
import { Icon, MoonIcon, SunIcon } from "~/ui/primitives/icons";
import { menuLine, menuPanel } from "./menu";

/**
 * The account's address, the theme and the way out. `header.client.ts` closes it, and sets the theme; without script it
 * is opened and closed by its button alone.
 */
export function AccountMenu({
  email,
  base,
}: {
  email: string | undefined;
  /** What the console's addresses begin with, for somebody who has no menu of workspaces. */
  base: string | undefined;
}) {
  return (
    <details data-menu name="console-menu" className="group relative min-w-0">
      <summary className="inline-flex min-h-11 max-w-full min-w-11 list-none items-center justify-center gap-2 rounded-md px-2.5 text-sm text-ink-soft hover:bg-well hover:text-ink group-open:bg-well [&::-webkit-details-marker]:hidden">
        <Icon>
          <circle cx="12" cy="8.5" r="3.5" />
          <path d="M5 20c.6-3.6 3.4-5.5 7-5.5s6.4 1.9 7 5.5" />
        </Icon>
        <span className="sr-only">Account and theme</span>
        <span className="max-w-52 truncate max-md:hidden">{email}</span>
      </summary>
      <div className={`right-0 w-[min(18rem,calc(100vw-2.5rem))] ${menuPanel}`}>
        {email ? (
          <p className="mb-2 border-b border-line px-3 pt-1 pb-3 text-sm text-ink-soft">
            Signed in as
            <span className="block text-base wrap-anywhere text-ink">{email}</span>
          </p>
        ) : null}
        <Link to="/dashboard/account" className={menuLine}>
          Account and security
        </Link>
        {base ? (
          <>
            <Link to={`${base}/members`} className={menuLine}>
              {workspaceMenu.invite}
            </Link>
            <Link to="/dashboard/workspaces/new" className={menuLine}>
              {workspaceMenu.make}
            </Link>
          </>
        ) : null}
        {/* A button for each theme, of which one shows. */}
        <span data-toggles-theme className="not-scripted:hidden">
          <span className="dark:hidden">
            <button type="button" className={menuLine}>
              <MoonIcon />
              Dark theme
            </button>
          </span>
          <span className="hidden dark:block">
            <button type="button" className={menuLine}>
              <SunIcon />
              Light theme
            </button>
          </span>
        </span>
        <Form method="post" action="/signout" reloadDocument>
          <button type="submit" className={menuLine}>
            Sign out
          </button>
        </Form>
      </div>
    </details>
  );
}
