import type * as z from "zod/mini";
import { fromBase64url, toBase64url } from "~/http/encodings";

/** Where the next page of a list begins. Callers pass it on as it is. */
export function cursorOf(place: unknown): string {
  return toBase64url(new TextEncoder().encode(JSON.stringify(place)));
}

/**
 * The place that a cursor names; undefined for what none of ours says. A place is no secret and no right: a list is
 * narrowed to the workspace of the token before anybody looks for it.
 */
export function placeIn<Place>(text: string, schema: z.ZodMiniType<Place>): Place | undefined {
  if (!/^[\w-]{1,200}$/.test(text)) return;
  try {
    const place: unknown = JSON.parse(new TextDecoder().decode(fromBase64url(text)));
    const read = schema.safeParse(place);
    return read.success ? read.data : undefined;
  } catch {
    return;
  }
}
