import { brand } from "./chrome.ts";

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
      "You asked to change this to {address} on {time}. We mailed a link there and, to be sure that it is you, one to your present address. Press both; until then nothing changes. The links work for one hour, in any browser.",
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
    none: "You have no password yet. You signed in a moment ago, so you can choose one.",
    recent: "You came by a mailed link or code, so your old password is not asked for.",
    again:
      "Forgotten it, or never chose one? Sign in again with a link by mail: for 15 minutes your old password is not asked for then.",
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
    unlinked:
      "Disconnected. That way no longer leads into your account, and your other devices were signed out.",
    linked: "Connected.",
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
    recovered:
      "The recovery code worked. Your second factor and the other codes are removed, and all your other devices are signed out. Set up a new second factor now.",
    lost: "If you lose the phone, a recovery code lets you in once. Without one only support can, who will want proof.",
    notOffered: "The sign-in server of this site does not offer a second factor.",
  },
  codes: {
    title: "Recovery codes",
    left: "{left} of 10 are left. Each lets you in once without the phone.",
    none: "You have none. If you lose the phone, only support can let you in.",
    unknown: "They cannot be counted right now.",
    make: "Make recovery codes",
    renew: "Make new recovery codes",
    renewHint: "The old ones stop working at once.",
    added: "The second factor is on. Devices that have not given it were signed out.",
    renewed: "These are your new codes. The old ones no longer work.",
    once: "They are shown only now. Keep them where your phone is not: printed, or in a password manager.",
    listLabel: "Your recovery codes",
    copy: "Copy all recovery codes",
    download: "Download as a text file",
    fileName: "livekit-deploy-recovery-codes.txt",
    fileText: `Recovery codes for ${brand}\n\nEach removes a lost second factor once: sign in, and choose\n"Lost your device? Use a recovery code" where the code is asked for.\n\n{codes}\n`,
    kept: "I have kept them",
    stored: "Your recovery codes are not shown again. You can make new ones whenever you like.",
    leave: "Your recovery codes are shown only now. Leave without them?",
  },
  sessions: {
    title: "Devices",
    intro:
      "Every browser that is signed in to your account. When you do not know one, sign it out, then choose a new password.",
    here: "This device",
    proved: "You proved who you are on {time}.",
    unknownDevice: "Unknown device",
    address: "Network address",
    unknownAddress: "not known",
    signedIn: "Signed in",
    used: "Last used",
    secondFactor: "Second factor",
    given: "Given",
    notGiven: "Not given",
    usedHint: "An open page counts as used about once an hour.",
    end: "Sign out this one",
    ended: "That device is signed out. A page that is open there may work for a minute more.",
    more: "There are more than these 50. “Sign out other devices” ends all of them.",
    unreadable: "The list cannot be read right now. You can still sign out below.",
    others: "Sign out other devices",
    everywhere: "Sign out everywhere",
  },
  deletion: {
    title: "Delete the account",
    intro: "This cannot be taken back. Pressing the button, at once and in this order:",
    consequences: [
      "ends every plan of yours now, not at the end of the paid time, without a refund;",
      "removes your deployments with all their versions, your subscriptions, messages and settings here;",
      "removes your sign-in, on every device.",
    ],
    kept: "Your servers go on running: they are yours. Stripe keeps invoices and payments for as long as the law asks.",
    label: "Your e-mail address, to confirm",
    hint: "Type {address}",
    button: "Delete my account for good",
  },
  recentOnly: "For this you must have signed in within the last 15 minutes.",
  signInAgain: "Sign in again",
} as const;

/** What can go wrong on it. */
export const accountFailures = {
  emailMissing: "Enter the new e-mail address.",
  emailWrong: "Write an e-mail address like name@example.com.",
  emailSame: "This is your address already.",
  emailRefused: "This address cannot be used. Check it for a slip, or take another one.",
  currentMissing: "Enter your current password.",
  currentWrong: "This is not your current password.",
  newerSession:
    "Our sign-in service changes a password only within a day of a sign-in. Sign in again, then choose the new one.",
  signInAgain: "Sign in again first: you last did so more than 15 minutes ago.",
  onlyWayIn: "This is your only way in. Connect another one first.",
  notLinked: "This way to sign in is not connected. Nothing was changed.",
  notFound: "There is no such second factor. Nothing was changed.",
  code: "This code is wrong or too old. Type the one that the app shows now.",
  codeUsed:
    "This code was used already. Wait for the next one: the app shows it within 30 seconds.",
  tooManyTries:
    "Too many codes were tried for this account. You can try again in {minutes}, at {time}.",
  recoveryCodeForm: "A recovery code has six groups of four letters and digits. Check for a slip.",
  recoveryCode: "This recovery code is wrong, or it was used already.",
  recoveryUnavailable:
    "Our sign-in service does not answer right now. Your recovery code was not used up. Please try again in a moment.",
  noSession: "That device is not signed in any more. Nothing was changed.",
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
    "That sign-in belongs to another account on this site. Nothing was connected. To use it here, sign in with it, delete that account on its account page, and then connect it from this one.",
  elsewhere:
    "Connecting was started in another browser, or while somebody else was signed in here. Nothing was connected.",
  other: "The provider was not connected. Nothing was changed. Try again, or take another one.",
} as const;

export const codeWords = {
  title: "Second factor",
  intro: "Your account shows nothing before you give it. Open your authenticator app.",
  label: "Code from the app",
  hint: "Six digits. A new one comes every 30 seconds.",
  button: "Continue",
  lost: "Lost your device? Use a recovery code",
  recoveryIntro:
    "It removes your second factor and signs out all your other devices. Then you set up a new one. Each code works once.",
  recoveryLabel: "Recovery code",
  recoveryHint: "Six groups of four. Spaces, hyphens and capital letters do not matter.",
  recoveryButton: "Remove my second factor",
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
