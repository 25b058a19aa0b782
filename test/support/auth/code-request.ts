import {
  type CodeRequest,
  codeRequestCookie,
} from "../../../app/features/account/sign-in/mailed-code.server.ts";
import { readConfiguration } from "../../../app/platform/env/configuration.server.ts";
import { siteVariables } from "../site/variables.ts";

/** Name and value of the cookie that a browser has for so many seconds after it asked for a code. */
export async function codeRequestCookieOf(
  request: CodeRequest,
  seconds: number,
): Promise<[name: string, value: string]> {
  const reading = readConfiguration(siteVariables);
  if (!reading.ok) throw new Error(reading.problems.join());
  const line = await codeRequestCookie(reading).keep(request, seconds);
  const [pair = ""] = line.split(";");
  const end = pair.indexOf("=");
  return [pair.slice(0, end), pair.slice(end + 1)];
}
