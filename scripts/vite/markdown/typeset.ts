/** Running text as a typesetter would have it: curly quotes, and no line break inside `80 %`. */
export function typeset(text: string): string {
  return text
    .replaceAll(/(?<=[\s([])"(?!\s)|^"(?=\w)/g, "“")
    .replaceAll('"', "”")
    .replaceAll("'", "’")
    .replaceAll(/(\d) (?=%|[KkMG]i?B\b)/g, "$1\u00a0");
}
