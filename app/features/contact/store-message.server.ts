import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { log } from "~/platform/log/log.server";
import type { ContactMessage } from "./message-form.server";

const outcomes = z.enum(["kept", "sender", "all"]);

/**
 * Stores a message, unless its sender, or all senders together, have reached the limit of the day. The log gets
 * the error's code and never the text.
 */
export async function storeMessage(
  { configuration }: AppContext,
  { id, message, sender }: { id: string; message: ContactMessage; sender: string },
): Promise<z.output<typeof outcomes> | "failed"> {
  const { data, error } = await serviceClient(configuration).rpc("keep_contact_message", {
    new_id: id,
    new_name: message.name,
    new_email: message.email,
    new_topic: message.topic,
    new_message: message.message,
    new_sender: sender,
  });
  // An error message of the database quotes the refused row, so it is not logged.
  if (error) {
    log.error("A contact message was not stored", { id, code: error.code });
    return "failed";
  }
  const outcome = outcomes.parse(data);
  if (outcome !== "kept") {
    log.warn("A quota was reached", { quota: `contact messages of ${outcome}` });
  }
  return outcome;
}
