/** The page that a mailed link opens, by what the link is for. */
export const linkLabels = {
  email: {
    title: "Finish signing in",
    says: "This link signs you in as {address}.",
    button: "Sign in",
  },
  signup: {
    title: "Confirm your e-mail address",
    says: "This link confirms {address} and signs you in.",
    button: "Confirm my address",
  },
  magiclink: {
    title: "Finish signing in",
    says: "This link signs you in as {address}.",
    button: "Sign in",
  },
  recovery: {
    title: "Choose a new password",
    says: "This link signs you in as {address}, to choose a new password.",
    button: "Continue",
  },
  email_change: {
    title: "Confirm your new e-mail address",
    says: "This link changes the address of the account {address}.",
    button: "Confirm the change",
  },
} as const;

export const linkWords = {
  why: "One press is needed here, because mail programs open links on their own to check them.",
  broken: "This link does not work",
  incomplete:
    "A part of the link is missing. Copy the whole line from the mail, or ask for a new one.",
  expired:
    "This link has expired, was already used or is not ours. Nothing was changed. Ask for a new one.",
  other: "You are signed in as {other}. This link is for {address}.",
  replace: "Sign out {other} and sign in as {address}",
  stay: "Stay signed in as {other}",
  tooMany:
    "Too many links that do not work were opened from your network. Wait an hour, or sign in another way.",
  unavailable:
    "This link cannot be checked right now. Nothing was changed. Please try again in a moment.",
  halfWayTitle: "One of two is done",
  halfWay: "Confirmed. Now open the link that we sent to your other address.",
  signedInAs: "You are signed in as {name}.",
  goOn: "Go on",
  newLink: "Mail me a new link",
  newReset: "Ask for a new reset link",
  newChange: "Change the address again",
  signIn: "Sign in another way",
} as const;
