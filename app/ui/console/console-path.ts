import { useLocation } from "react-router";

/** The pages of the console that belong to a person and to no workspace: they have one address for everybody. */
export const personalPages = [
  "/dashboard/account",
  "/dashboard/account/code",
  "/dashboard/workspaces/new",
] as const;

/** What the addresses begin with of a workspace where its person is alone. */
export const personalBase = "/dashboard";

/** Where a plan is bought for the workspace whose pages begin with `base`. */
export const buyAddress = (base: string) => (base === personalBase ? "/pricing" : `${base}/plan`);

/** What a 404 says where an address names a workspace that its visitor is no member of. */
export const noWorkspace = "no workspace";

/**
 * What the addresses of the console's other pages begin with: `/dashboard`, or `/dashboard/w/<slug>` where the same
 * pages show another workspace. `address` is that of the present page, as a path or as a whole URL.
 *
 * A page names other pages as `${base}/deployments`. React Router's relative links would do only half: `..` leads
 * elsewhere from the first page than from its siblings, and a redirect has no route to begin at.
 */
export function consoleBase(address: string): string {
  const { pathname } = new URL(address, "https://site.invalid");
  return /^\/dashboard\/w\/[^/.]+/.exec(pathname)?.[0] ?? personalBase;
}

/** The parts of a workspace that every workspace has, by what follows the base in their address. */
const sections =
  "deployments incidents alerts models usage billing plan members settings tokens webhooks audit support".split(
    " ",
  );

/**
 * What follows the base in the address of another workspace's page that shows the same part as this one. A page below
 * such a part is about something that only its own workspace has.
 */
export function samePart(address: string): string {
  const { pathname } = new URL(address, "https://site.invalid");
  const [, part = ""] = pathname.slice(consoleBase(pathname).length).split("/");
  return sections.includes(part) ? `/${part}` : "";
}

/** An address outside the console, with a query that names the workspace of the page whose address begins with `base`. */
export function atWorkspace(
  address: string,
  base: string,
  query: Readonly<Record<string, string>> = {},
): string {
  const slug = base.split("/w/")[1];
  const all = new URLSearchParams({ ...query, ...(slug === undefined ? {} : { workspace: slug }) });
  return all.size === 0 ? address : `${address}?${all}`;
}

/** The same as `consoleBase` in a component. */
export function useConsoleBase(): string {
  return consoleBase(useLocation().pathname);
}

/** What the addresses of a workspace's pages begin with, by its name in addresses. */
export function workspaceBase(slug: string): string {
  return `/dashboard/w/${slug}`;
}
