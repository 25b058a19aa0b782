/** Every word of /dashboard/account. It reaches the page with its data, not with its script. */
export const accountWords = {
  title: "Account",
  intro: "How you sign in, what protects it, and how to leave.",
  email: {
    title: "E-mail address",
    confirmed: "Confirmed",
    unconfirmed: "Not confirmed",
    intro: "Links, codes and news about your account go here.",
    pending:
      "You asked to change this to {address} on {time} UTC. We mailed a link there and, to be sure that it is you, one to your present address. Press both; until then nothing changes. The links work for one hour, in any browser.",
    label: "New e-mail address",
    hint: "We mail a link to the new address and one to the present one. The change counts when both were pressed.",
    button: "Change the address",
    asked:
      "If the new address is free, two mails are on their way: one there, one to your present address. Open the link in each.",
  },
  password: {
    title: "Password",
    intro: "When it is saved, all your other devices are signed out.",
    current: "Current password",
    label: "New password",
    hint: "A long sentence is easier to keep in mind than a short riddle.",
    button: "Save the password",
    recent: "You signed in a moment ago, so your old password is not asked for.",
    again:
      "Forgotten it, or came by Google and never had one? Sign in again, then choose one here.",
    saved: "Your password is saved. Your other devices were signed out.",
  },
  identities: {
    title: "Ways to sign in",
    intro: "Whoever controls one of these controls your account.",
    mail: "E-mail link, code or password",
    only: "This is your only way in, so it stays.",
    since: "Since {time}",
    unlink: "Disconnect {provider}",
    link: "Connect {provider}",
    unlinked: "Disconnected. That way no longer leads into your account.",
    linked: "Connected.",
    notOffered:
      "Connecting another provider by hand is switched off on this site. Sign in with one that has the same address, and it is connected by itself.",
  },
  secondFactor: {
    title: "Second factor",
    intro:
      "An authenticator app on your phone shows a new code every 30 seconds. With it, nobody gets to your billing or deletes your account by your mailbox or password alone.",
    none: "Not set up.",
    name: "Name of the app or phone",
    nameHint: "Helps you to tell two of them apart.",
    standardName: "Authenticator app",
    begin: "Set up",
    beginAnother: "Set up another",
    scan: "Scan this with your authenticator app.",
    scanned: "If your app shows this account already, type its present code.",
    qrAlternative: "QR code of the secret below",
    secret: "Or type this secret into the app:",
    code: "Code from the app",
    codeHint: "Six digits.",
    finish: "Turn it on",
    stop: "Cancel",
    remove: "Remove {name}",
    added: "The second factor is on. Devices that have not given it were signed out.",
    removed: "Removed.",
    lost: "Lose the phone and you lose the second factor: set up two, or ask support, who will want proof.",
    notOffered: "The sign-in server of this site does not offer a second factor.",
  },
  sessions: {
    title: "Devices",
    intro:
      "Our sign-in service keeps no list of devices that we could show. When in doubt, sign the others out: it costs you nothing but signing in there again.",
    here: "This browser proved who you are on {time} UTC.",
    others: "Sign out other devices",
    everywhere: "Sign out everywhere",
  },
  deletion: {
    title: "Delete the account",
    intro: "This cannot be taken back. Pressing the button, at once and in this order:",
    consequences: [
      "ends every plan of yours now, not at the end of the paid time, without a refund;",
      "removes your subscriptions, messages and settings here;",
      "removes your sign-in, on every device.",
    ],
    kept: "Your servers go on running: they are yours. Stripe keeps invoices and payments for as long as the law asks.",
    label: "Your e-mail address, to confirm",
    hint: "Type {address}",
    button: "Delete my account for good",
  },
  recentOnly: "For this you must have signed in within the last 15 minutes.",
  signInAgain: "Sign in again",
  due: "Changes here ask for the code of your second factor first.",
  giveCode: "Give it now",
} as const;

/** What can go wrong on it. */
export const accountFailures = {
  emailMissing: "Enter the new e-mail address.",
  emailWrong: "Write an e-mail address like name@example.com.",
  emailSame: "This is your address already.",
  emailRefused: "This address cannot be used. Check it for a slip, or take another one.",
  currentMissing: "Enter your current password.",
  currentWrong: "This is not your current password.",
  signInAgain: "Sign in again first: you last did so more than 15 minutes ago.",
  onlyWayIn: "This is your only way in. Connect another one first.",
  notLinked: "This way to sign in is not connected. Nothing was changed.",
  notFound: "There is no such second factor. Nothing was changed.",
  code: "This code is wrong or too old. Type the one that the app shows now.",
  tooMany: "You have as many second factors as there can be. Remove one first.",
  confirmation: "Type {address} exactly, so that nothing is deleted by accident.",
  stripe:
    "Stripe does not answer, so your plan could not be ended and nothing was deleted. Please try again in a moment.",
  halfDeleted:
    "Your plan is ended, but the rest could not be deleted just now. Press the button again in a moment: it finishes the work.",
  unavailable:
    "Our sign-in service does not answer right now. Nothing was changed. Please try again in a moment.",
  noChoice: "Choose what you want to change.",
} as const;

/** Why a provider was not connected. */
export const connectingFailures = {
  cancelled: "You stopped at the provider. Nothing was connected.",
  taken:
    "That sign-in belongs to an account on this site already, this one or another. Nothing was connected. To move it, sign in with it and disconnect it there.",
  other: "The provider was not connected. Nothing was changed. Try again, or take another one.",
} as const;

export const codeWords = {
  title: "Second factor",
  intro: "Billing and your account need more than a sign-in. Open your authenticator app.",
  label: "Code from the app",
  hint: "Six digits. A new one comes every 30 seconds.",
  button: "Continue",
  back: "Back to the dashboard",
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
