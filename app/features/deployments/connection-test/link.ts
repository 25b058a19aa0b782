/** How long a link to a test is good for, and the longest that a token of a test is. */
export const linkSeconds = 86_400;
