/** The button that begins a trial, on the home page and on /try. */
export const trialButton = "Try the console";

/** The page of the trial. */
export const trialWords = {
  title: "Try the console",
  description:
    "A workspace of your own with three simulated servers, for a day. No account, no card, nothing to install.",
  intro: [
    "One press opens a workspace of your own with three simulated servers: one has served calls for days, one boots before your eyes, and one went down minutes ago and waits for somebody to acknowledge it.",
    "No account, no card, nothing to install. It ends after 24 hours, and everything in it is deleted.",
  ],
  mayTitle: "What works, and what needs an account",
  may: [
    "Look at every page of the console, act on incidents, set thresholds, describe deployments and read the files that come of them.",
    "Nothing leaves a trial: no mail, no message to a pager or a webhook, no look at a domain, no token for machines or agents, no purchase.",
    "Sign up in the same browser while it runs, and what you described comes along. The simulated servers end then.",
  ],
  signedIn: "If you are signed in, the button leads to your own dashboard; in a trial, back to it.",
  signUp: "Sign up instead",
} as const;

/** Why no trial began. */
export const trialRefusals = {
  limit:
    "No trial was opened: several were begun from your network in the last hour. Wait an hour, or sign up; that costs nothing either.",
  busy: "No trial was opened: more people are trying the console than we let in within an hour. Come back later, or sign up; that costs nothing either.",
  unavailable:
    "No trial can be opened here right now. Try again in a moment, or sign up; that costs nothing either.",
} as const;

/** The answer to whatever a trial may not do. */
export const needsAccount =
  "That needs an account. Nothing was done. Sign up, and what you described here stays.";

/** The same on a page, before anything is pressed. */
export const trialNeedsAccount =
  "This needs an account, which a trial is not. Sign up, and what you described here stays.";

/** Before somebody signs out of a trial. */
export const endTrialWords = {
  title: "End this trial?",
  says: "A trial has no address and no password, so nobody can come back to it. What you described in it goes with it.",
  button: "End the trial and sign out",
  stay: "Stay in the trial",
} as const;

/** Above every page of a trial. `end`: a moment in words. */
export const trialBanner = {
  label: "Trial",
  lasts: "This is a trial. Its servers are simulated, and nothing leaves it. It ends at",
  over: "This trial is over. Its servers are gone, and soon everything else of it.",
  signUp: "Sign up to keep what you described",
} as const;
