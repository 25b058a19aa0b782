/** What a script is made with: texts for its `@NAME@`, and which of its blocks it has. */
export type ScriptValues = Readonly<Record<string, string | boolean>>;

/**
 * A script in one piece, made of its source:
 * - A line `. "./NAME"` is replaced by the part of that name, since the machine gets one file. The comments at the head of
 *   a part and those for shellcheck stay behind.
 * - The lines from `#if NAME` to `#end` stay only where the value of that name is true.
 * - `@NAME@` is replaced by the value of that name.
 */
export function assembled(
  source: string,
  parts: Readonly<Record<string, string>>,
  values: ScriptValues,
): string {
  return source
    .replace(/^\. "\.\/(.+)"\n/gm, (_, name) => given(parts, name).replace(/^(?:#.*\n)+/, ""))
    .replace(/^#if (\w+)\n([\s\S]*?)^#end\n/gm, (_, name, lines) =>
      given(values, name) ? lines : "",
    )
    .replace(/^ *# shellcheck .*\n/gm, "")
    .replace(/@([A-Z0-9_]+)@/g, (_, name) => String(given(values, name)));
}

function given<Value>(from: Readonly<Record<string, Value>>, name: string): Value {
  const value = from[name];
  if (value === undefined) throw new Error(`Nothing is given for ${name} of a script.`);
  return value;
}
