/** One word in single quotes, where nothing is expanded: POSIX shells and systemd's EnvironmentFile. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A value of a Compose file, where `$` would begin a variable. */
export function composeValue(text: string): string {
  return text.replaceAll("$", "$$$$");
}
