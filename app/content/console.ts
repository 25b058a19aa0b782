/** The navigation of the console. `base` is the prefix of its paths. Billing is left out where it is for others. */
export const consoleNavigation = (base: string, mayBill = true) => [
  { to: base, label: "Overview" },
  { to: `${base}/deployments`, label: "Deployments" },
  { to: `${base}/incidents`, label: "Incidents" },
  { to: `${base}/alerts`, label: "Alerts" },
  ...(mayBill ? [{ to: `${base}/billing`, label: "Billing" }] : []),
  { to: `${base}/members`, label: "Members" },
  { to: `${base}/settings`, label: "Settings" },
  { to: `${base}/models`, label: "Models" },
  { to: `${base}/usage`, label: "Usage" },
  { to: `${base}/support`, label: "Support" },
  { to: "/dashboard/account", label: "Account" },
];

/** The menu of workspaces in the header. */
export const workspaceMenu = {
  label: "Workspace:",
  all: "Your workspaces",
  closed: "Needs a second factor",
  members: "Members",
  settings: "Workspace settings",
  audit: "Audit log",
  make: "New workspace",
  invite: "Invite somebody",
} as const;

/** What the command palette leads to besides. */
export const paletteWords = {
  label: "Go to a page, a deployment, a server or the documentation",
  open: "Go to…",
  none: "Nothing has these words.",
  unread: "Your deployments cannot be read right now.",
  notLoaded: "This could not be loaded. Load the page again.",
  pages: "Pages",
  deployments: "Deployments",
  servers: "Servers",
  actions: "Actions",
  documentation: "Documentation and blog",
  plan: "Plan",
  create: "New deployment",
  connect: "Connect a server that runs",
  theme: "Switch between light and dark",
  signOut: "Sign out",
} as const;

/** What the console says in place of a page that cannot be shown. */
export const consoleErrorWords = {
  missing: {
    title: "This page is not here",
    says: "There is nothing of yours at this address. The link was cut short, or what was here is deleted: nothing that you sent since then was saved.",
    kept: "Everything else in your account is as you left it.",
  },
  gone: {
    title: "This workspace is not yours",
    says: "You are no member of a workspace at this address: you were removed, it was deleted, or it never existed. Nothing that you sent since then was saved.",
    kept: "Your own workspaces are as you left them.",
  },
  refused: {
    title: "This page cannot be shown",
    says: "This address does not take what was sent. Go back to the page and fill it in anew.",
    kept: "Everything in your account is as you left it.",
  },
  failed: {
    title: "This page cannot be shown right now",
    says: "Something went wrong on our side. Please try again in a moment.",
    kept: "Your servers do not depend on this site and go on running.",
  },
  unexpected: "Unexpected Application Error!",
  again: "Try again",
  deployments: "Your deployments",
  overview: "Overview",
  workspaces: "Your workspaces",
  support: "Support",
} as const;
