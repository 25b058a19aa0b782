/** A part of a file that is too large to be read at once. `next`: where the next one begins; without it this is the last. */
export type FilePart<Row, Cursor> = { rows: Row[]; next?: Cursor };

/** A part is some 500 KB in memory. */
export const filePartSize = 2_000;
