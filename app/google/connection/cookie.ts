/** The cookie that holds a connection to Google: only the tools' own addresses are sent it. */
export const connectionCookieName = "google-connection";
export const connectionCookiePath = "/google-services";

/** Removes it from whatever browser; /signout is not sent it and cannot know whether it is there. */
export const connectionRemoval = `${connectionCookieName}=; Max-Age=0; Path=${connectionCookiePath}; HttpOnly; SameSite=Lax`;
