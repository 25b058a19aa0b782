/** What each scope lets us do, and what we do with it. */
export const permissions: Readonly<Record<string, string>> = {
  "gmail.send": "Send mail in your name: to send, to answer, and for a mail merge.",
  "gmail.metadata":
    "See senders, receivers, subjects and dates of your mail, never its text: to list what you sent, to choose what to answer, and so that no mail merge sends twice.",
  "calendar.events": "See and change events of your calendars: to create an event.",
  "calendar.freebusy": "See when you are busy, not with what: to show the next 7 days.",
  tasks: "See and change your tasks: to create, complete and list them.",
  documents: "See and change your documents: to create one, and to replace the text of one.",
  "drive.metadata.readonly":
    "See the names and dates of your files, never what is in them: to list and search documents.",
};

/** The sentences for a consent that ended without a connection, by the key in the address. */
export const consentProblems: Readonly<Record<string, string>> = {
  cancelled: "Nothing was connected: you cancelled at Google.",
  expired: "Nothing was connected: this took too long, or was begun in another browser. Try again.",
  "other-account":
    "Nothing was connected: that Google account belongs to another account here. Choose the one that you sign in with, or connect it under Account first.",
  unavailable:
    "Nothing was connected: Google or our sign-in did not answer. Try again in a minute.",
};
