import { readBody } from "./body.server";

/** Bytes of a form as it is sent: the guard of actions and the action read as much of it. */
const largestForm = 128 * 1024;

/**
 * Reads a posted form. What is no form, or is too large, reads as an empty one: the action then says
 * what is missing, as it would to anybody who left everything out.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return (await readLongForm(request, largestForm)) ?? new URLSearchParams();
}

/**
 * The same for a form with long texts, of at most `limit` bytes as it is sent; undefined above that.
 * No form of ours has a field twice: of a repeated one the first counts, so that whoever checks a field
 * and whoever acts on it read the same.
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
