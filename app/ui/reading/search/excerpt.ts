import { stemOf } from "./search-words.ts";

/** A piece of text, and whether it is a word that was searched for. */
export type Piece = { text: string; isMatch: boolean };

const excerptLength = 150;

/** A text in pieces, so that the words that match can be marked. */
export function markWords(text: string, stems: ReadonlySet<string>): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { index, 0: word } of wordsOf(text)) {
    if (!stems.has(stemOf(word))) continue;
    if (index > end) pieces.push({ text: text.slice(end, index), isMatch: false });
    end = index + word.length;
    pieces.push({ text: word, isMatch: true });
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMatch: false });
  return pieces;
}

/** The part of a text in which most of the words are, from a word's beginning to a word's end. */
export function excerptOf(text: string, stems: ReadonlySet<string>): string {
  if (text.length <= excerptLength) return text;
  const words = [...wordsOf(text)].map(({ index, 0: word }) => ({ index, stem: stemOf(word) }));
  const starts = words.filter(({ stem }) => stems.has(stem)).map(({ index }) => index);
  const countFrom = (start: number) => {
    const inside = words.filter(({ index }) => index >= start && index < start + excerptLength);
    return new Set(inside.filter(({ stem }) => stems.has(stem)).map(({ stem }) => stem)).size;
  };
  const best = starts.reduce(
    (one, other) => (countFrom(other) > countFrom(one) ? other : one),
    starts[0] ?? 0,
  );
  // A few words before it say what it is about.
  const from = best < 40 ? 0 : text.indexOf(" ", best - 30) + 1;
  const to =
    from + excerptLength >= text.length ? text.length : text.lastIndexOf(" ", from + excerptLength);
  return `${from > 0 ? "… " : ""}${text.slice(from, to)}${to < text.length ? " …" : ""}`;
}

function wordsOf(text: string) {
  return text.matchAll(/[\p{L}\p{N}'’]+/gu);
}
