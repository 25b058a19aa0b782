import { readBody } from "./body.server";

const largestForm = 64 * 1024;

/**
 * Reads a posted form. What is no form, or is too large, reads as an empty one: the action then says
 * what is missing, as it would to anybody who left everything out.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return (await readLongForm(request, largestForm)) ?? new URLSearchParams();
}

/** The same for a form with long texts, of at most `limit` bytes as it is sent; undefined above that. */
export async function readLongForm(
  request: Request,
  limit: number,
): Promise<URLSearchParams | undefined> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return new URLSearchParams();
  const body = await readBody(request, limit);
  return body === undefined ? undefined : new URLSearchParams(body);
}
