export const notSignedIn = "Sign in to continue.";
export const addressUnconfirmed =
  "Confirm your e-mail address first, with the link that we mailed to you. Then try again.";
export const secondFactorDue = "Give the code of your second factor first, then try again.";
/** The answer to a post that was refused. */
export const signInUnavailable =
  "Sign-in is not available right now. Nothing was changed. Please try again in a moment.";
/** The answer to a reading: it may follow a post, and what that changed is changed. */
export const nothingReadable =
  "Sign-in is not available right now, so this cannot be shown. Please try again in a moment.";
