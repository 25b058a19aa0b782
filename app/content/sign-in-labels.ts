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
    codeHint: "It works once, for ten minutes, in the browser where you asked for it.",
    phoneCodeHint: "It works once, in the browser where you asked for it, and not for long.",
    or: "or",
    working: "One moment...",
    mailHint:
      "Nothing there after a minute? Look in spam, check the address, or send it again. The link works in any browser, for an hour.",
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
    ssoLink: "Sign in with SSO",
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
  sso: {
    title: "Sign in with SSO",
    intro: "Your organisation's own sign-in opens, found by the domain of your address.",
    email: "Work e-mail address",
    button: "Continue",
    goOn: "Continue at {host}",
  },
  verify_otp: {
    title: "Enter your code",
    intro:
      "Our mails carry a link and a code. Where the link is not handy, type the code here, in the browser where you asked.",
    button: "Continue",
    newCodeLink: "Mail me a new code",
    newResetLink: "Ask for a reset link",
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
  phoneCountry: "This site sends no texts to that country. Take another number, or another way.",
  textsInHour:
    "Too many texts were asked for within the hour, so none was sent now. Use the newest of them, or another second factor, or ask again in an hour.",
  textsInDay:
    "Too many new numbers were tried within a day, so nothing was sent now. Ask again tomorrow.",
  textsToNumber:
    "Too many codes were asked for to this number, so none was sent now. Use the newest of them, or sign in another way.",
  oneTap: "Google's answer could not be used. Sign up with the button, or load this page again.",
  ssoUnknown:
    "No organisation signs in here with this domain. Check the address, or sign in another way.",
  codeMissing: "Enter the code from the message.",
  code: "This code is wrong, expired or was already used. Ask for a new one.",
  codeElsewhere:
    "A code works for ten minutes, in the browser where it was asked for. Ask for a new code in this browser, or open the link in the mail.",
  codeAttempts:
    "Five codes were tried for this account within ten minutes. Wait ten minutes and ask for a new code, or open the link in the mail.",
  mailsToOne:
    "Five messages to this address were asked for within the hour, so none was sent now. Use the newest of them, sign in another way, or ask again in an hour.",
  mailsToOneFromNetwork:
    "Three messages to this address were asked for from your network within the hour, so none was sent now. Use the newest of them, sign in another way, or ask again in an hour.",
  mailsFromNetwork:
    "Too many messages were asked for from your network within the hour, so none was sent now. Sign in another way, or ask again in an hour.",
  otherAccount:
    "You are signed in as {name}. Sign out first and ask for a new code, or open the link of the mail: it asks which account you want.",
  passwordMissing: "Choose a password.",
  passwordLong: "Use at most 72 characters. Letters outside a to z count double or more.",
  passwordSame: "This is your old password. Choose another one.",
  passwordWeak: "This password is too easy to guess:",
  notOffered: "Signing in this way is not set up on this site. Choose another way.",
  noChoice: "Choose how you want to sign in.",
  signUpClosed: "This site takes no new accounts at the moment.",
  signInAgain: "Sign in again first, so that we know it is you. Nothing was changed.",
  mailUnavailable:
    "We cannot send mail right now, so nothing was sent. The fault is on our side. Please try again later, or sign in another way.",
  textUnavailable:
    "We cannot send text messages right now, so nothing was sent. The fault is on our side. Please try again later, or sign in another way.",
  fault:
    "This did not work because of a fault on our side or at our sign-in service, not because of what you typed. We have been told. Please try again later.",
  unavailable:
    "Sign-in is not available right now. Nothing was changed, and what you typed is still here, except a password. Please try again in a moment.",
} as const;

/** Why the auth server finds a password weak. */
export const weakPasswordReasons = {
  length: "It is too short. Use at least {least} characters.",
  characters: "It needs {kinds}.",
  kinds: {
    letter: "a letter",
    small: "a small letter",
    capital: "a capital letter",
    digit: "a digit",
    symbol: "a symbol",
  },
  pwned: "It is in a list of stolen passwords.",
  common: "It is one of the most common passwords, or nearly so.",
  own: "It is little more than your address or the name of this site.",
  other: "It does not follow the rules of this site.",
} as const;
