/** One value that a question offers. */
export type Choice<Value extends string = string> = {
  value: Value;
  label: string;
  /** What choosing it changes. */
  effect?: string;
  /** The plan that has it, where the person's does not. */
  lockedTo?: "Pro";
};

type Field = {
  /** The name of the form's field: the path of the option that it answers. */
  field: string;
  label: string;
  hint?: string;
};

/** Where the option's path is not the field's name, because several fields answer it in turn. */
type OtherPath = { path?: string };

/** How the wizard asks for an option. */
export type Question =
  | (Field & {
      kind: "choice";
      choices: readonly Choice[];
      compact?: true;
      locked?: true;
      /** The choice that stands for every value which is not offered. */
      other?: string;
      /** A form without this field leaves the option as its default. */
      optional?: true;
    })
  | (Field &
      OtherPath & {
        kind: "text";
        type?: "email" | "url" | "number";
        placeholder?: string;
        suggestions?: readonly string[];
        /** What the review says for 0. */
        zero?: string;
        /** An empty field leaves the option out; otherwise it is checked as an empty text. */
        optional?: true;
        /** It holds a domain, which people read in its own letters. */
        domain?: true;
      })
  | (Field & {
      kind: "lines";
      placeholder?: string;
      locked?: true;
      domain?: true;
      /** Each line is a firewall rule: protocol, ports and source. */
      rules?: true;
    })
  | (Field &
      OtherPath & {
        kind: "check";
        /** It is on where the option has no value yet. */
        on?: true;
      })
  /** Asked only where the field before it has one of these values. */
  | {
      kind: "when";
      field: string;
      values: readonly string[];
      questions: readonly Question[];
      /** What its fields hold counts also where they are not asked. */
      always?: true;
    }
  /** What most people leave as it is. */
  | { kind: "advanced"; label: string; questions: readonly Question[] };

/** One of the values that a question offers. */
export function choice<const Value extends string>(
  value: Value,
  label: string,
  effect?: string,
): Choice<Value> {
  return effect ? { value, label, effect } : { value, label };
}
