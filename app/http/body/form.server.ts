import { readBody } from "./body.server";

/** The largest form, in bytes. The guard and the action read the same form with the same limit. */
const largestForm = 128 * 1024;

/**
 * Reads a posted form. A body that is no form, or is too large, gives an empty form: the action then says which
 * fields are missing.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return (await readLongForm(request, largestForm)) ?? new URLSearchParams();
}

/**
 * Reads a posted form with long texts, of at most `limit` bytes; undefined above that. Our forms have no field twice.
 * Of a repeated field only the first value is kept, so that the code that checks it and the code that uses it read
 * the same value.
 */
export async function readLongForm(
  request: Request,
  limit: number,
): Promise<URLSearchParams | undefined> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return new URLSearchParams();
  const body = await readBody(request, limit);
  return body === undefined ? undefined : firstOfEach(new URLSearchParams(body));
}

function firstOfEach(sent: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams();
  for (const [name, value] of sent) if (!kept.has(name)) kept.append(name, value);
  return kept;
}
