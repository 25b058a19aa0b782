import type { ServiceClient } from "~/platform/database/service-client.server";
import type { Json } from "~/platform/database/types";
import type { Occasion } from "./occasion";

type OperatorMail = Extract<
  Occasion,
  { kind: "paid-twice" | "partly-paid" | "unsent" | "dispute-closed" | "fraud-warning" }
>;

/**
 * Queues a mail to the operator, once for each `name`. It holds ids of Stripe's and nothing personal. Throws when the
 * database does not answer.
 */
export async function queueOperatorMail(
  database: ServiceClient,
  name: string,
  { kind, data }: OperatorMail,
): Promise<void> {
  const about: Json = data;
  await database
    .from("mail_outbox")
    .upsert(
      { occasion: name, kind, data: about },
      { onConflict: "occasion", ignoreDuplicates: true },
    )
    .throwOnError();
}
