/** What a person reads when they asked too often. Windows are one minute long; each 429 also says so in Retry-After. */
export const tooOften = "Too many attempts. Please wait a minute and try again.";
