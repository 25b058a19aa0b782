import { readBody } from "./body.server";

const largestForm = 64 * 1024;

/**
 * Reads a posted form. What is no form, or is too large, reads as an empty one: the action then says
 * what is missing, as it would to anybody who left everything out.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) return new URLSearchParams();
  return new URLSearchParams(await readBody(request, largestForm));
}
