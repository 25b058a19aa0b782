const plainShellWord = /^[A-Za-z0-9_./:@%+,-]+$/;

/** Any text as one word of a POSIX shell. It is quoted only where it must be. */
export function shellWord(text: string): string {
  return plainShellWord.test(text) ? text : shellQuoted(text);
}

/** Any text in single quotes, in which POSIX shells and systemd's EnvironmentFile expand nothing. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A value of a systemd unit, where `%` would begin a specifier. */
export function systemdValue(text: string): string {
  return text.replaceAll("%", "%%");
}

/** A value of a Compose file, where `$` would begin a variable. */
export function composeValue(text: string): string {
  return text.replaceAll("$", "$$$$");
}

const plainHcl = /^[A-Za-z0-9 _./:@,+-]*$/;

/** Any text as a string of Terraform's language, in which nothing is evaluated. */
export function hclString(text: string): string {
  if (plainHcl.test(text)) return `"${text}"`;
  const escaped = JSON.stringify(text).replace(/[$%](?=\{)/g, "$&$&");
  // JSON's short escapes that this language does not have.
  return escaped.replace(/\\(.)/g, (pair, letter) => {
    if (letter === "b") return "\\u0008";
    return letter === "f" ? "\\u000c" : pair;
  });
}
