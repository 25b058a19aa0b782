/** The button that begins a trial, on the home page and on /try. */
export const trialButton = "Try the console";

/** So many changes somebody makes in a trial, in its whole day. */
export const trialChangeLimit = 300;

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
    `Look at every page of the console, act on incidents, set thresholds, describe deployments and read the files that come of them: up to ${trialChangeLimit} changes.`,
    "A test call, a connection test, live rooms and what an agent recorded are between your browser and your own server. In a trial their pages say what they would show.",
    "Nothing leaves a trial: no mail, no message to a pager or a webhook, no look at a domain, no token for machines or agents, no archive of the files, no purchase.",
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

/** The answer to each change beyond those. */
export const trialChangesUsed = `Nothing was changed: a trial has room for ${trialChangeLimit} changes, and this one has used them. Look at everything as before, or sign up, and what you described here stays.`;

/** The answer to whatever a trial may not do. */
export const needsAccount =
  "That needs an account. Nothing was done. Sign up, and what you described here stays.";

/** The same on a page, before anything is pressed. */
export const trialNeedsAccount =
  "This needs an account, which a trial is not. Sign up, and what you described here stays.";

/** In place of the download of a deployment's files, each of which a trial reads. */
export const trialDownload = "Sign up to download the files";

/** Before somebody signs out of a trial. */
export const endTrialWords = {
  title: "End this trial?",
  says: "A trial has no address and no password, so nobody can come back to it. What you described in it goes with it.",
  button: "End the trial and sign out",
  stay: "Stay in the trial",
} as const;

/** In place of what a browser does at a customer's own server. */
export const trialConnections = {
  call: "The servers of a trial are simulated, and a typed domain may be anybody's: this browser connects to none. On a server of yours this tab sends your microphone there, and a second one plays what comes back.",
  connectionTest:
    "The servers of a trial are simulated, and a typed domain may be anybody's: this browser connects to none. On a server of yours the test says which ways a network lets through, how long each took and what to do about it, from here and by a link from where somebody else is.",
  rooms:
    "The servers of a trial are simulated, so nobody is in a call on them. On a server of yours this page lists each room and who is in it with what they send, and mutes or removes somebody or ends the room.",
  recording:
    "The servers of a trial are simulated, so there is nothing to read on them. From a server of yours this page reads what was said in the session with an agent, its sound, and the agent's log.",
} as const;

/** Above every page of a trial. `ends` is followed by a moment, where that can be read. */
export const trialBanner = {
  label: "Trial",
  lasts: "This is a trial. Its servers are simulated, and nothing leaves it.",
  ends: "It ends at",
  over: "This trial is over. Its servers are gone, and soon everything else of it.",
  signUp: "Sign up to keep what you described",
} as const;
