import { type Component, newerThanPinned, pinned } from "../../bundle/versions.ts";

/** `field` is the path of the option it answers, as `form-values.ts` reads it. */
type Asked = { field: string; label: string; hint?: string };

export type Choice = {
  value: string;
  label: string;
  /** What choosing it changes. */
  effect?: string;
  /** The plan that has it, where the person's does not. */
  lockedTo?: "Pro";
};

export type Question =
  | (Asked & { kind: "choice"; choices: Choice[]; compact?: true; locked?: true })
  | (Asked & {
      kind: "text";
      type?: "email" | "url" | "number";
      placeholder?: string;
      suggestions?: string[];
      /** What the review says for 0. */
      zero?: string;
    })
  | (Asked & { kind: "lines"; placeholder?: string; locked?: true })
  | (Asked & { kind: "check" })
  /** Asked only where the field before it has one of these values. */
  | { kind: "when"; field: string; values: string[]; questions: Question[] }
  /** What most people leave as it is. */
  | { kind: "advanced"; label: string; questions: Question[] };

/** One of the values that a question offers. */
export const choice = (value: string, label: string, effect?: string): Choice =>
  effect ? { value, label, effect } : { value, label };

/** The question for a component's image tag; empty means the one that this release pins. */
export const version = (component: Component, label: string): Question => ({
  kind: "text",
  field: `versions.${component}`,
  label,
  hint: `Empty: ${pinned[component].tag}, of ${pinned[component].date}.${newer(component)}`,
  suggestions: [pinned[component].tag],
});

function newer(component: Component): string {
  const release = newerThanPinned(component);
  return release ? ` Newer, and not tested by us yet: ${release.tag} of ${release.date}.` : "";
}
