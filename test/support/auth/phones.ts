import { textSubject } from "../../../fakes/supabase/phones/text-messages.ts";
import type { Visitor } from "../site/visitor.ts";
import { change, recoveryCodesIn } from "./account.ts";
import { codeIn, mailsTo, mailTo } from "./inbox.ts";

export const phone = "+491511234567";

/** The code in the newest text message to a number. */
export async function textedCode(to = phone): Promise<string> {
  return codeIn(await mailTo(to, textSubject));
}

/** How many text messages went to a number. */
export async function textCount(to = phone): Promise<number> {
  return (await mailsTo(to)).length;
}

/** The hidden fields of the form for a texted code. Other forms of the page name factors too. */
export function textedFields(page: string): { factorId: string; challengeId: string } {
  const [, factorId = "", challengeId = ""] =
    /name="factorId" value="([^"]+)"\/><input type="hidden" name="challengeId" value="([^"]+)"/.exec(
      page,
    ) ?? [];
  return { factorId, challengeId };
}

/** Asks for a telephone as second factor, and types the code that was texted to it. Answers the recovery codes. */
export async function setUpPhone(visitor: Visitor, to = phone): Promise<string[]> {
  const { page } = await change(visitor, { intent: "enrol_phone", phone: to });
  const done = await change(visitor, {
    intent: "finish_phone",
    ...textedFields(page),
    code: await textedCode(to),
  });
  return recoveryCodesIn(done.page);
}
