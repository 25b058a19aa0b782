export const siteUnreachable = "The site cannot be reached. Check your connection, then try again.";

/**
 * The server's answer to a fetcher, or `fallback` where none arrived. Without this the router would replace
 * the page by its error page. A thrown Response is a redirect, so it is thrown on.
 */
export async function answerOr<Answer, Fallback>(
  answer: Promise<Answer>,
  fallback: Fallback,
): Promise<Answer | Fallback> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Response) throw error;
    return fallback;
  }
}
