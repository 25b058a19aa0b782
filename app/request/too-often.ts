/** What a person reads when they asked too often. Windows are one minute long. */
export const tooOften = "Too many attempts. Please wait a minute and try again.";
