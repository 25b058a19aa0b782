import { type Section, searchOver } from "./search-sections";

let searching: ReturnType<typeof searchOver> | undefined;

/**
 * The search over the index at this address, made once for the document. Rejects when the index cannot be had now; the
 * next call tries again.
 */
export async function searchIn(address: string): ReturnType<typeof searchOver> {
  searching ??= fetchSections(address).then(searchOver);
  try {
    return await searching;
  } catch (error) {
    searching = undefined;
    throw error;
  }
}

async function fetchSections(address: string): Promise<Section[]> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The index answered ${response.status}`);
  return response.json();
}
