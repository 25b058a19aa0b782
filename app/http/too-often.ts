/**
 * The message after too many requests. Our limits count for one minute; each 429 also says so in Retry-After. It has
 * a file of its own because pages say it too, and a page's script may have nothing of a server's module.
 */
export const tooOften = "Too many attempts. Please wait a minute and try again.";
