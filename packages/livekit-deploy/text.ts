/** A text without what moves a cursor or changes colours: it comes from elsewhere and goes to a terminal. */
export const plain = (text: string): string => text.replaceAll(/(?![\n\t])\p{Cc}/gu, "");

const codes = { bold: 1, red: 31, green: 32, cyan: 36 } as const;

/** A text in a colour, where colours are shown. */
export const coloured = (text: string, colour: keyof typeof codes, isColoured: boolean): string =>
  isColoured ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;

export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

export const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Why a file of this machine was not read. */
export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "There is no such file",
    EACCES: "It may not be read",
    EISDIR: "It is a folder",
  };
  return reasons[code] ?? `It cannot be read (${code})`;
}
