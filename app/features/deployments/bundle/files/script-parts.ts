/**
 * A script in one piece. A line `. "./NAME"` in its source is replaced by the part of that name, since the machine gets
 * one file; `@NAME@` is replaced by the value of that name.
 */
export function assembled(
  source: string,
  parts: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
): string {
  const given = (from: Readonly<Record<string, string>>, name = ""): string => {
    const text = from[name];
    if (text === undefined) throw new Error(`Nothing is given for ${name} of a script.`);
    return text;
  };
  return source
    .replace(/^\. "\.\/(.+)"\n/gm, (_, name) => given(parts, name))
    .replace(/@([A-Z_]+)@/g, (_, name) => given(values, name));
}
