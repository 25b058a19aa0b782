/** In days: when a token may end that is made now. The form begins with `usualEnd`. */
export const endChoices = ["7", "30", "90", "365"] as const;
export const usualEnd = "90";

/** How many tokens one workspace may have, those that have ended among them. */
export const maxTokens = 20;
