import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { sealedCookie } from "~/http/cookies/sealed-cookie.server";

export type CodeRequest = {
  /** The address or number that the code went to, as `accountName` writes it. */
  to: string;
  kind: "email" | "recovery" | "phone";
};

const shape = z.object({ to: z.string(), kind: z.enum(["email", "recovery", "phone"]) });

/** How an address or number is counted and compared: in one spelling. */
export function accountName(to: string): string {
  return to.trim().toLowerCase();
}

/** Sealed, because it names an address: whoever looks through a browser's cookies learns nothing. */
export function codeRequestCookie(context: Pick<AppContext, "configuration">) {
  return sealedCookie<CodeRequest>(context, "code-request", shape);
}

/** The Set-Cookie header that makes this browser the one where the code works. */
export function rememberCodeRequest(context: AppContext, asked: CodeRequest): Promise<string> {
  const to = accountName(asked.to);
  return codeRequestCookie(context).keep({ to, kind: asked.kind });
}

/** What this browser has asked a code for within the last ten minutes. */
export function codeRequestOf(
  context: AppContext,
  request: Request,
): Promise<CodeRequest | undefined> {
  return codeRequestCookie(context).read(request);
}

export function forgetCodeRequest(context: AppContext): string {
  return codeRequestCookie(context).forget();
}
