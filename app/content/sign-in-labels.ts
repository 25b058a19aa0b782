/** Every word of the sign-in form, view by view, in one place so that it can be translated. */
export const signInLabels = {
  shared: {
    email: "E-mail address",
    password: "Password",
    newPassword: "New password",
    newPasswordHint: "A long sentence is easier to keep in mind than a short riddle.",
    phone: "Phone number",
    phoneHint: "With the country code, like +1 555 0100.",
    code: "Code from the message",
    codeHint: "Six to ten digits. It works once, for one hour.",
    phoneCodeHint: "Six to ten digits. It works once, and not for long.",
    or: "or",
    working: "One moment...",
    mailHint:
      "Nothing there after a minute? Look in spam, check the address, or send it again. The link works in any browser.",
    textHint: "Nothing there after a minute? Check the number, or send it again.",
    resend: "Send it again",
    signInLink: "Already have an account? Sign in",
    backToSignIn: "Back to sign in",
  },
  sign_in: {
    title: "Sign in to your account",
    intro: "Bought a plan before signing up? Use the address that you paid with.",
    button: "Sign in",
    signUpLink: "No account yet? Sign up",
    forgotLink: "Forgot your password?",
    magicLinkLink: "Mail me a sign-in link instead",
  },
  sign_up: {
    title: "Create your account",
    intro: "We mail you a link to confirm your address. Nothing else is sent there.",
    button: "Sign up",
    sent: "Check your email for the confirmation link",
    known: "Had an account with this address already? Then no mail comes.",
    knownLink: "Choose a new password instead",
  },
  forgotten_password: {
    title: "Reset your password",
    intro: "Tell us your address. The link that we mail lets you choose a new password.",
    button: "Send the reset link",
    sent: "Check your email for the password reset link",
  },
  magic_link: {
    title: "Sign in without a password",
    intro: "We mail you a link that signs you in, and an account if you have none yet.",
    button: "Send the sign-in link",
    sent: "Check your email for the magic link",
    phoneButton: "Text me a code",
    phoneSent: "Check your phone for the code",
    empty: "Enter your email address.",
  },
  update_password: {
    title: "Choose a new password",
    intro: "When it is saved you are signed out everywhere, and sign in with the new one.",
    button: "Save the new password",
    done: "Your password has been updated",
    needed:
      "You are signed in. Your address was signed up more than once, so no password from before works. Choose one now.",
    later: "Continue without a new password",
    needsLink:
      "A new password needs a reset link that was opened in this browser within the last 15 minutes.",
    needsLinkLink: "Ask for a reset link",
  },
  verify_otp: {
    title: "Enter your code",
    intro: "Our mails carry a link and a code. Where the link is not handy, type the code.",
    button: "Continue",
    newCodeLink: "Mail me a new code",
  },
} as const;

/** The same in another language: every label of every view, in any words. */
export type SignInLabels = WordsLike<typeof signInLabels>;
type WordsLike<Labels> = {
  readonly [Name in keyof Labels]: Labels[Name] extends string ? string : WordsLike<Labels[Name]>;
};

/** What can go wrong in the form, in words. */
export const signInFailures = {
  credentials:
    "Address and password do not match a confirmed account. Check both, or follow the link in the mail that we sent when you signed up.",
  credentialsMissing: "You must provide either an email or phone number and a password",
  emailOrPhone: "You must provide either an email or phone number.",
  emailMissing: "Enter your email address.",
  emailWrong: "Write an e-mail address like name@example.com.",
  phoneWrong: "Write the phone number with its country code, like +1 555 0100.",
  codeMissing: "Enter the code from the message.",
  code: "This code is wrong, expired or was already used. Ask for a new one.",
  passwordMissing: "Choose a password.",
  passwordLong: "Use at most 72 characters. Letters outside a to z count double or more.",
  passwordSame: "This is your old password. Choose another one.",
  passwordWeak: "This password is too easy to guess:",
  notOffered: "Signing in this way is not set up on this site. Choose another way.",
  noChoice: "Choose how you want to sign in.",
  unavailable:
    "Sign-in is not available right now. Nothing was changed, and what you typed is still here, except a password. Please try again in a moment.",
} as const;

/** Why the auth server finds a password weak. */
export const weakPasswordReasons = {
  length: "It is too short. Use at least {least} characters.",
  characters: "It needs small letters, capital letters, digits and symbols.",
  pwned: "It is in a list of stolen passwords.",
  other: "It does not follow the rules of this site.",
} as const;

/** The page that a mailed link opens, by what the link is for. */
export const linkLabels = {
  email: { title: "Finish signing in", button: "Sign in" },
  signup: { title: "Confirm your address", button: "Confirm my address" },
  magiclink: { title: "Finish signing in", button: "Sign in" },
  recovery: { title: "Choose a new password", button: "Continue" },
  email_change: { title: "Confirm your new address", button: "Confirm the change" },
} as const;

export const linkWords = {
  why: "One press is needed here, because mail programs open links on their own to check them.",
  broken: "This link does not work",
  incomplete:
    "A part of the link is missing. Copy the whole line from the mail, or ask for a new one.",
  expired:
    "This link has expired, was already used or is not ours. Nothing was changed. Ask for a new one.",
  halfWayTitle: "One of two is done",
  halfWay: "Confirmed. Now open the link that we sent to your other address.",
  signedInAs: "You are signed in as {name}.",
  goOn: "Go on",
  newLink: "Mail me a new link",
  newReset: "Ask for a new reset link",
  newChange: "Change the address again",
  signIn: "Sign in another way",
} as const;
