/** Sids of one kind have one prefix, of three letters, which the tables leave out. */
export const withoutPrefix = (sid: string): string => sid.slice(3);
