/** Every word of the check that somebody is a person. The widget itself speaks the browser's language. */
export const challengeWords = {
  checking: "Checking that you are a person. The form is sent when that is done...",
  notLoaded:
    "The check that you are a person did not work here. Allow challenges.cloudflare.com, or try another browser or network.",
  withoutScript:
    "To send this form this site needs JavaScript: a check by Cloudflare keeps machines from it.",
  missing:
    "Nothing was sent: the check that you are a person was not finished. It needs JavaScript. What you typed is still here, except a password.",
  failed:
    "Nothing was sent: the check that you are a person failed or ran out. What you typed is still here, except a password. Please send it again.",
  unavailable:
    "Nothing was sent: the check that you are a person does not work right now. What you typed is still here, except a password. Try again in a moment.",
  signInOtherwise: "To sign in with a password or a provider you need no check.",
  contactOtherwise: "You can also write to the address on this page.",
} as const;
