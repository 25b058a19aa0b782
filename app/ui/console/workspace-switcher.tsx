import { Link, useLocation } from "react-router";
import { workspaceMenu as words } from "~/content/console";
import { CheckIcon, Icon } from "~/ui/primitives/icons";
import { samePart } from "./console-path";
import { menuLine, menuPanel } from "./menu";

/** A workspace as the console's header names it: `base` is what the addresses of its pages begin with. */
type NamedWorkspace = { name: string; base: string; isClosed: boolean; mayReadAudit: boolean };

/** The workspace that a page shows, and all that the person has: the one that was open last comes first. */
export type Workspaces = {
  current: NamedWorkspace;
  all: readonly NamedWorkspace[];
};

/**
 * Which workspace the page shows, the way to the others, and to what members share. `header.client.ts` closes it; without
 * script it is opened and closed by its button alone.
 */
export function WorkspaceSwitcher({ current, all }: Workspaces) {
  const part = samePart(useLocation().pathname);
  return (
    <details data-menu name="console-menu" className="group min-w-0 sm:relative">
      <summary className="inline-flex min-h-11 max-w-full list-none items-center gap-2 rounded-md px-2.5 hover:bg-well group-open:bg-well [&::-webkit-details-marker]:hidden">
        <span className="sr-only">{words.label} </span>
        <span className="truncate font-strong sm:max-w-52">{current.name}</span>
        <Icon width="16" height="16" className="shrink-0 text-ink-soft">
          <path d="M8 10l4 4 4-4" />
        </Icon>
      </summary>
      <div className={`max-sm:inset-x-5 sm:left-0 sm:w-72 ${menuPanel}`}>
        <p className="px-3 pt-1 pb-2 text-sm text-ink-soft">{words.all}</p>
        <ul className="max-h-64 overflow-y-auto">
          {all.map((workspace) => {
            const { name, base, isClosed } = workspace;
            const isCurrent = base === current.base;
            return (
              <li key={base}>
                <Link
                  to={isCurrent ? base : base + partOf(workspace, part)}
                  aria-current={isCurrent ? "true" : undefined}
                  className={`${menuLine} wrap-anywhere aria-[current]:font-strong`}
                >
                  <span className="py-1.5">
                    <span>{name}</span>
                    {isClosed ? (
                      <span className="block text-sm font-normal text-ink-soft">
                        {words.closed}
                      </span>
                    ) : null}
                  </span>
                  {isCurrent ? <CheckIcon className="ml-auto shrink-0 text-signal" /> : null}
                </Link>
              </li>
            );
          })}
        </ul>
        <div className="mt-2 border-t border-line pt-2">
          {current.isClosed ? null : (
            <>
              <Link to={`${current.base}/members`} className={menuLine}>
                {words.members}
              </Link>
              <Link to={`${current.base}/settings`} className={menuLine}>
                {words.settings}
              </Link>
            </>
          )}
          {current.mayReadAudit ? (
            <Link to={`${current.base}/audit`} className={menuLine}>
              {words.audit}
            </Link>
          ) : null}
          <Link to="/dashboard/workspaces/new" className={menuLine}>
            {words.make}
          </Link>
        </div>
      </div>
    </details>
  );
}

/** The part of a workspace that its entry leads to: the one of the present page, where the person may see it there. */
function partOf({ isClosed, mayReadAudit }: NamedWorkspace, part: string): string {
  return isClosed || (part === "/audit" && !mayReadAudit) ? "" : part;
}
