/**
 * A domain as people paste it, without what an address has around it: the scheme, a port, a path and a dot at the end.
 * What is left is checked as it is; where nothing would be left, the text is, so that it is refused and not lost.
 */
export function typedDomain(text: string): string {
  return text
    .trim()
    .replace(/^(?:https?|wss?):\/\//i, "")
    .replace(/(?<=.)[/?#].*$/s, "")
    .replace(/(?<=.):\d+$/, "")
    .replace(/(?<=.)\.$/, "");
}
