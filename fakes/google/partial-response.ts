import { fieldsOf } from "./api.ts";

/** What a `fields` parameter keeps, by name; undefined keeps everything below. */
type Selection = Map<string, Selection | undefined>;

/**
 * Keeps of an answer what Google's `fields` parameter names: `a,b(c,d),e/f`. `*` keeps all.
 * Source: Google's guide to partial responses.
 */
export function keepFields(answer: unknown, fields: string | null): unknown {
  if (!fields || fields === "*") return answer;
  return keep(answer, parse(fields));
}

function keep(value: unknown, selection: Selection | undefined): unknown {
  if (!selection || selection.has("*")) return value;
  if (Array.isArray(value)) return value.map((each) => keep(each, selection));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(fieldsOf(value)).filter(([name]) => selection.has(name));
  return Object.fromEntries(entries.map(([name, each]) => [name, keep(each, selection.get(name))]));
}

function parse(fields: string): Selection {
  const selection: Selection = new Map();
  for (const part of splitOutsideBrackets(fields)) {
    const [, name = "", below, bracketed] = /^([^/(]+)(?:\/(.+)|\((.+)\))?$/.exec(part) ?? [];
    const inner = below ?? bracketed;
    selection.set(name.trim(), inner === undefined ? undefined : parse(inner));
  }
  return selection;
}

function splitOutsideBrackets(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (character === "," && depth === 0) {
      parts.push(part);
      part = "";
    } else part += character;
  }
  return [...parts, part];
}
