/** Names that nobody chose, for what a person may name on the account page. */
export const unnamed = {
  secondFactor: "Authenticator app",
  phoneFactor: "Phone ending in {ending}",
  device: "Unknown device",
} as const;

/** What can go wrong on /dashboard/account. Its other texts are in account-page.json. */
export const accountFailures = {
  emailMissing: "Enter the new e-mail address.",
  emailWrong: "Write an e-mail address like name@example.com.",
  emailSame: "This is your address already.",
  emailRefused: "This address cannot be used. Check it for a slip, or take another one.",
  phoneSame: "This is your number already.",
  phoneCode: "This code is wrong or too old. Ask for a new one.",
  currentMissing: "Enter your current password.",
  currentWrong: "This is not your current password.",
  newerSession:
    "Our sign-in service changes a password only within a day of a sign-in. Sign in again, then choose the new one.",
  signInAgain: "Sign in again first: you last did so more than 15 minutes ago.",
  onlyWayIn: "This is your only way in. Connect another one first.",
  notLinked: "This way to sign in is not connected. Nothing was changed.",
  notFound: "There is no such second factor. Nothing was changed.",
  code: "This code is wrong or too old. Type the one that the app shows now.",
  textedCode: "This code is wrong. Type the one from the newest text message.",
  textedElsewhere:
    "This code is used up, older than five minutes, or was asked for from another network. Ask for a new one.",
  textedBefore: "A code was texted a moment ago. You can ask for another one in a minute.",
  phoneKnown: "This number is a second factor of yours already.",
  phoneSignsIn:
    "This number signs you in already, so it is no second proof: whoever has the phone would have both. Take another number, or an authenticator app.",
  phoneIsFactor:
    "This number is a second factor of yours, so it cannot sign you in too: whoever has the phone would have both. Take another number.",
  codeUsed:
    "This code was used already. Wait for the next one: the app shows it within 30 seconds.",
  tooManyAttempts:
    "Too many codes were tried for this account. You can try again in {minutes}, at {time}.",
  recoveryCodeForm: "A recovery code has six groups of four letters and digits. Check for a slip.",
  recoveryCode: "This recovery code is wrong, or it was used already.",
  recoveryUnavailable:
    "Our sign-in service does not answer right now. Your recovery code was not used up. Please try again in a moment.",
  noSession: "That device is not signed in any more. Nothing was changed.",
  tooMany: "You have as many second factors as there can be. Remove one first.",
  confirmation: "Type {address} exactly, so that nothing is deleted by accident.",
  workspaces: "Nothing was deleted. Decide first who owns these workspaces: others work there.",
  joinedLate:
    "Somebody has joined a workspace of yours meanwhile. Plans that nobody else used are ended, and nothing was deleted. Decide first who owns these workspaces: others work there.",
  teamChanged:
    "The members of your workspaces change right now. Plans that nobody else uses are ended, and nothing was deleted. Press the button again in a moment: it finishes the work.",
  stripe:
    "Stripe does not answer, so your plan could not be ended and nothing was deleted. Please try again in a moment.",
  halfDeleted:
    "Your plan is ended, but the rest could not be deleted just now. Press the button again in a moment: it finishes the work.",
  unavailable:
    "Our sign-in service does not answer right now. Nothing was changed. Please try again in a moment.",
  noChoice: "Choose what you want to change.",
  managed: "This is managed by your organisation's sign-in. Nothing was changed.",
} as const;

/** Why a provider was not connected. */
export const connectingFailures = {
  cancelled: "You stopped at the provider. Nothing was connected.",
  taken:
    "That sign-in belongs to another account on this site. Nothing was connected. To use it here, sign in with it, delete that account on its account page, and then connect it from this one.",
  elsewhere:
    "Connecting was started in another browser, or while somebody else was signed in here. Nothing was connected.",
  other: "The provider was not connected. Nothing was changed. Try again, or take another one.",
} as const;

export const farewellWords = {
  title: "Your account is deleted",
  lines: [
    "Your plan has ended, your data here is gone, and you are signed out everywhere.",
    "Stripe keeps your invoices for as long as the law asks. Your servers are yours and go on running.",
  ],
  thanks:
    "Thank you for having been here. You can sign up again whenever you like; you then start anew.",
  home: "Back to home",
} as const;
