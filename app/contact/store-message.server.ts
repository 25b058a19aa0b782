import { serviceClient } from "~/database/service-client.server";
import { log } from "~/observability/log.server";
import type { RequestContext } from "~/request/request-context";
import type { ContactMessage } from "./message-form.server";

/** Stores a message and answers whether it is kept. The log gets the error's code, never the text. */
export async function storeMessage(
  { configuration, requestId }: RequestContext,
  id: string,
  message: ContactMessage,
): Promise<boolean> {
  const { error } = await serviceClient(configuration)
    .from("contact_messages")
    .insert({ id, ...message });
  // A database error repeats the row that it refused, so its words stay out of the log.
  if (error) log.error("A contact message was not stored", { requestId, id, code: error.code });
  return !error;
}
