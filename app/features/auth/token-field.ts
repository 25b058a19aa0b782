/** The field that Turnstile's widget adds to a form. A token is valid once, within five minutes. */
export const tokenField = "cf-turnstile-response";
