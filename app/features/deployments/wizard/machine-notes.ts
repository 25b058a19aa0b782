import type { SizeId } from "../bundle/providers.ts";

/**
 * What the regions and sizes are at one provider with one kind of processor, as machine-notes.json has it;
 * `npm run wizard:notes` writes that file.
 */
export type MachineNotes = {
  /** Words beside a choice, by its field and value. */
  notes: Readonly<Record<string, string>>;
  /** Where and when the prices among them hold; empty where there are none. */
  prices: string;
  /** The list price of each size for a month in US dollars; null where we know none. */
  monthly: Readonly<Record<SizeId, number | null>>;
  /** The provider's own page of prices, and the text of the link to it. */
  page: string;
  link: string;
};

/** By provider and processor: "aws amd64". */
export type AllMachineNotes = Readonly<Record<string, MachineNotes>>;
