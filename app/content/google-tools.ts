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

/** A tool as google-tools.json describes it. */
export type GoogleTool = {
  id: string;
  name: string;
  description: string;
  /** The permissions that Google asks the person for, under https://www.googleapis.com/auth/. */
  scopes: readonly string[];
  tabs: readonly [ToolTab, ...ToolTab[]];
};

/**
 * The tools in the order of the page, the ids of their tabs, and the permissions that are asked for. What the page says
 * of them is in google-tools.json.
 */
export const googleTools: readonly {
  id: string;
  scopes: readonly string[];
  tabs: readonly string[];
}[] = [
  {
    id: "gmail",
    scopes: ["gmail.send", "gmail.metadata"],
    tabs: ["send", "list", "respond", "merge"],
  },
  {
    id: "calendar",
    scopes: ["calendar.events", "calendar.freebusy"],
    tabs: ["create", "availability"],
  },
  { id: "tasks", scopes: ["tasks"], tabs: ["create", "complete", "list"] },
  {
    id: "docs",
    scopes: ["documents", "drive.metadata.readonly"],
    tabs: ["create", "list", "search", "update"],
  },
];
