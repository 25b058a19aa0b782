import { type GivenFile, maxFileCharacters } from "./audited-file.ts";

/** A file as somebody chooses it. One that is too large is not read at all: it is refused by its length. */
export const textOfFile = async (file: File): Promise<GivenFile> => ({
  name: file.name,
  text: file.size > maxFileCharacters * 4 ? " ".repeat(maxFileCharacters + 1) : await file.text(),
});
