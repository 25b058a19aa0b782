/** What the console says in place of a page that cannot be shown. */
export const consoleErrorWords = {
  missing: {
    title: "This page is not here",
    says: "There is nothing of yours at this address. It may have been deleted, or the link was cut short.",
    kept: "Everything else in your account is as you left it.",
  },
  failed: {
    title: "This page cannot be shown right now",
    says: "Something went wrong on our side. Please try again in a moment.",
    kept: "Your servers do not depend on this site and go on running.",
  },
  unexpected: "Unexpected Application Error!",
  again: "Try again",
  deployments: "Your deployments",
  support: "Support",
} as const;
