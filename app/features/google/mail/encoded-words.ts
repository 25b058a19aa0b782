const word = /=\?([^?\s]+)\?([BQ])\?([^?\s]*)\?=/gi;
/** White space between two encoded words is not part of the text. */
const between = /(\?=)\s+(?==\?[^?\s]+\?[BQ]\?)/gi;

/** Decodes the encoded words of a header field (RFC 2047). A word that cannot be decoded stays as it is. */
export function decodeWords(value: string): string {
  return value
    .replace(between, "$1")
    .replace(word, (written, charset: string, encoding: string, text: string) => {
      try {
        const bytes = encoding.toUpperCase() === "B" ? atob(text) : fromQuoted(text);
        const codes = Uint8Array.from(bytes, (character) => character.charCodeAt(0));
        return new TextDecoder(charset.split("*")[0], { fatal: true }).decode(codes);
      } catch {
        return written;
      }
    });
}

function fromQuoted(text: string): string {
  return text
    .replaceAll("_", " ")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
