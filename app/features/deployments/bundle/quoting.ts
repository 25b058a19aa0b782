const plainShellWord = /^[A-Za-z0-9_./:@%+,-]+$/;

/** One word for a POSIX shell, whatever it holds; readable where it needs no quotes. */
export function shellWord(text: string): string {
  return plainShellWord.test(text) ? text : shellQuoted(text);
}

/** One word in single quotes, where nothing is expanded: POSIX shells and systemd's EnvironmentFile. */
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
