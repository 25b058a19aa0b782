/** The message after too many requests. Our limits count for one minute; each 429 also says so in Retry-After. */
export const tooOften = "Too many attempts. Please wait a minute and try again.";
