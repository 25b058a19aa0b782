/** One question of a form; `name` is also its name in the form. */
export type ToolField = {
  name: string;
  label: string;
  hint?: string;
} & (
  | { type: "text" | "email" | "date" | "datetime-local" }
  | { type: "textarea"; rows: number }
  | { type: "number"; min: number; max: number; initial: number }
  | { type: "select"; options: readonly { value: string; label: string }[] }
);

export type ToolTab = {
  id: string;
  label: string;
  /** What the form does, in a sentence. */
  words: string;
  fields: readonly ToolField[];
  /** What a connected account is asked in place of fields. */
  connected?: string;
  button: string;
  /** The request to Google that does it, and what Google's reference calls it. */
  call: { name: string; method: "GET" | "POST" | "PATCH"; address: string };
};

export type GoogleTool = {
  id: string;
  name: string;
  description: string;
  /** The permissions that Google asks the person for, under https://www.googleapis.com/auth/. */
  scopes: readonly string[];
  tabs: readonly [ToolTab, ...ToolTab[]];
};

const gmail: GoogleTool = {
  id: "gmail",
  name: "Gmail Integration",
  description: "Send invitations and answers from the address that people know.",
  scopes: ["gmail.send", "gmail.metadata"],
  tabs: [
    {
      id: "send",
      label: "Send Email",
      words: "Sends one message from your own address.",
      fields: [
        { name: "to", label: "To", type: "email" },
        { name: "subject", label: "Subject", type: "text" },
        { name: "body", label: "Body", type: "textarea", rows: 5 },
      ],
      button: "Send email",
      call: {
        name: "gmail.users.messages.send",
        method: "POST",
        address: "gmail.googleapis.com/gmail/v1/users/me/messages/send",
      },
    },
    {
      id: "list",
      label: "List Sent",
      words: "Lists what you sent last, newest first.",
      fields: [
        {
          name: "maxResults",
          label: "Max results",
          type: "number",
          min: 1,
          max: 100,
          initial: 10,
          hint: "1 to 100",
        },
      ],
      button: "List sent",
      call: {
        name: "gmail.users.messages.list",
        method: "GET",
        address: "gmail.googleapis.com/gmail/v1/users/me/messages?labelIds=SENT",
      },
    },
    {
      id: "respond",
      label: "Respond",
      words:
        "Picks a message and answers it in its own thread, so that both sides see one conversation.",
      fields: [],
      connected:
        "With your account connected, you choose one of your messages here and write the answer.",
      button: "Respond",
      call: {
        name: "gmail.users.threads.get",
        method: "GET",
        address: "gmail.googleapis.com/gmail/v1/users/me/threads/{id}",
      },
    },
    {
      id: "merge",
      label: "Mail Merge",
      words:
        "Fills one template from a table, a message for each row, and shows every message before it leaves.",
      fields: [],
      connected:
        "With your account connected, you give a template and a table here, and look through the messages first.",
      button: "Start mail merge",
      call: {
        name: "gmail.users.messages.send",
        method: "POST",
        address: "gmail.googleapis.com/gmail/v1/users/me/messages/send",
      },
    },
  ],
};

const calendar: GoogleTool = {
  id: "calendar",
  name: "Calendar Management",
  description: "Put a room on the calendar, at a time that is still free.",
  scopes: ["calendar.events", "calendar.freebusy"],
  tabs: [
    {
      id: "create",
      label: "Create Event",
      words: "Creates an event in your main calendar.",
      fields: [
        { name: "summary", label: "Summary", type: "text" },
        { name: "location", label: "Location", type: "text" },
        { name: "startDateTime", label: "Start", type: "datetime-local" },
        { name: "endDateTime", label: "End", type: "datetime-local" },
        { name: "description", label: "Description", type: "textarea", rows: 3 },
      ],
      button: "Create event",
      call: {
        name: "calendar.events.insert",
        method: "POST",
        address: "www.googleapis.com/calendar/v3/calendars/primary/events",
      },
    },
    {
      id: "availability",
      label: "Check Availability",
      words: "Looks at your calendar for the next 7 days and shows when you are free.",
      fields: [],
      connected: "With your account connected, your free times stand here.",
      button: "Check availability",
      call: {
        name: "calendar.freebusy.query",
        method: "POST",
        address: "www.googleapis.com/calendar/v3/freeBusy",
      },
    },
  ],
};

const tasks: GoogleTool = {
  id: "tasks",
  name: "Task Management",
  description: "Turn what was agreed in a call into something that gets done.",
  scopes: ["tasks"],
  tabs: [
    {
      id: "create",
      label: "Create Task",
      words: "Adds a task to your default list.",
      fields: [
        { name: "title", label: "Title", type: "text" },
        { name: "notes", label: "Notes", type: "textarea", rows: 3 },
        {
          name: "due",
          label: "Due",
          type: "date",
          hint: "Google Tasks keeps the day, not the time.",
        },
      ],
      button: "Create task",
      call: {
        name: "tasks.tasks.insert",
        method: "POST",
        address: "tasks.googleapis.com/tasks/v1/lists/@default/tasks",
      },
    },
    {
      id: "complete",
      label: "Complete Task",
      words: "Marks a task of your default list as done.",
      fields: [
        {
          name: "title",
          label: "Exact task title",
          type: "text",
          hint: "Letter for letter, as Google Tasks shows it.",
        },
      ],
      button: "Complete task",
      call: {
        name: "tasks.tasks.patch",
        method: "PATCH",
        address: "tasks.googleapis.com/tasks/v1/lists/@default/tasks/{task}",
      },
    },
    {
      id: "list",
      label: "List Tasks",
      words: "Lists the tasks of your default list.",
      fields: [
        {
          name: "showCompleted",
          label: "Show completed",
          type: "select",
          options: [
            { value: "false", label: "No" },
            { value: "true", label: "Yes" },
          ],
        },
      ],
      button: "List tasks",
      call: {
        name: "tasks.tasks.list",
        method: "GET",
        address: "tasks.googleapis.com/tasks/v1/lists/@default/tasks",
      },
    },
  ],
};

const docs: GoogleTool = {
  id: "docs",
  name: "Document Management",
  description: "Keep minutes where the rest of the team already looks for them.",
  scopes: ["documents", "drive.metadata.readonly"],
  tabs: [
    {
      id: "create",
      label: "Create Document",
      words: "Creates a document and writes the first text into it.",
      fields: [
        { name: "title", label: "Title", type: "text" },
        { name: "body", label: "Body", type: "textarea", rows: 5 },
      ],
      button: "Create document",
      call: {
        name: "docs.documents.create",
        method: "POST",
        address: "docs.googleapis.com/v1/documents",
      },
    },
    {
      id: "list",
      label: "List Documents",
      words: "Lists your documents, the last changed first.",
      fields: [
        {
          name: "maxResults",
          label: "Max results",
          type: "number",
          min: 1,
          max: 1000,
          initial: 50,
          hint: "1 to 1000",
        },
      ],
      button: "List documents",
      call: {
        name: "drive.files.list",
        method: "GET",
        address: "www.googleapis.com/drive/v3/files",
      },
    },
    {
      id: "search",
      label: "Search",
      words: "Finds documents by their titles, not by what is in them.",
      fields: [
        {
          name: "query",
          label: "Query",
          type: "text",
          hint: "Words of the title, or how they begin.",
        },
      ],
      button: "Search",
      call: {
        name: "drive.files.list",
        method: "GET",
        address: "www.googleapis.com/drive/v3/files?q=name contains …",
      },
    },
    {
      id: "update",
      label: "Update",
      words: "Replaces the text of a document.",
      fields: [
        {
          name: "documentId",
          label: "Document ID",
          type: "text",
          hint: "The long part of the document's address, between /d/ and /edit.",
        },
        { name: "content", label: "Content", type: "textarea", rows: 5 },
      ],
      button: "Update",
      call: {
        name: "docs.documents.batchUpdate",
        method: "POST",
        address: "docs.googleapis.com/v1/documents/{id}:batchUpdate",
      },
    },
  ],
};

/** The tools in the order of the page. */
export const googleTools: readonly GoogleTool[] = [gmail, calendar, tasks, docs];
