import { type Configuration, parseYaml, type Unreadable } from "./configuration.ts";
import { type Kind, plainKindOf, yamlKindOf } from "./kind.ts";

/** A file as somebody gives it. Its name is shown and helps to know its kind; it leads nowhere. */
export type GivenFile = { name: string; text: string };

/** What is read of a file at most: a Compose file of a thousand services has less. */
export const maxFileCharacters = 100_000;
export const maxFiles = 20;

export type AuditedFile = GivenFile & { kind: Kind; configuration: Configuration };
export type RefusedFile = { name: string } & Unreadable;

const nothing: Configuration = { value: {}, lineOf: () => 1 };

/** A file with what it configures, or why nothing can be said of it. */
export function readFile({ name, text }: GivenFile): AuditedFile | RefusedFile {
  if (text.length > maxFileCharacters)
    return { name, line: 1, message: `It has more than ${maxFileCharacters / 1_000} kB` };
  // Editors of Windows put a mark before the text.
  const plain = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  if (plain.trim() === "") return { name, line: 1, message: "It is empty" };
  if (plain.includes("\0")) return { name, line: 1, message: "It is no text" };
  const configuration = parseYaml(plain);
  const isYaml = !("message" in configuration);
  const kind = isYaml && yamlKindOf(configuration.value, name);
  if (kind) return { name, text: plain, kind, configuration };
  // Tried last, since a Compose file may hold a redis.conf in its lines.
  const plainKind = plainKindOf(plain);
  if (plainKind) return { name, text: plain, kind: plainKind, configuration: nothing };
  if (!isYaml) return { name, ...configuration };
  return { name, line: 1, message: "It is no file that the audit knows" };
}
