/** The field that Turnstile's widget adds to a form. Its token counts once, for five minutes. */
export const tokenField = "cf-turnstile-response";
