import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { sealedCookie } from "~/http/cookies.server";

export type CodeRequest = {
  /** The address or number that the code went to, as `accountName` writes it. */
  to: string;
  kind: "email" | "recovery" | "phone";
};

const shape = z.object({ to: z.string(), kind: z.enum(["email", "recovery", "phone"]) });

/** An address or number in the one spelling by which it is counted and compared. */
export function accountName(to: string): string {
  return to.trim().toLowerCase();
}

/** It is encrypted, because it names an address that others who use this browser should not read. */
export function codeRequestCookie(context: Pick<AppContext, "configuration">) {
  return sealedCookie<CodeRequest>(context, "code-request", shape);
}

/** The Set-Cookie header that lets this browser use the code. */
export function rememberCodeRequest(context: AppContext, asked: CodeRequest): Promise<string> {
  const to = accountName(asked.to);
  return codeRequestCookie(context).keep({ to, kind: asked.kind });
}

/** The code that this browser has asked for within the last ten minutes; undefined if it asked for none. */
export function codeRequestOf(
  context: AppContext,
  request: Request,
): Promise<CodeRequest | undefined> {
  return codeRequestCookie(context).read(request);
}

export function forgetCodeRequest(context: AppContext): string {
  return codeRequestCookie(context).forget();
}
