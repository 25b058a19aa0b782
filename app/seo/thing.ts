type Value = string | number | boolean | Thing | readonly Value[] | undefined;

/** Something in schema.org's terms: what it is, and what is known about it. */
export type Thing = { readonly "@type": string; readonly [property: string]: Value };

/** A thing as a JSON-LD document of its own. */
export function asDocument(thing: Thing) {
  return { "@context": "https://schema.org", ...thing };
}
