import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";

export type SupportMessage = {
  id: string;
  topic: string;
  message: string;
  writtenAt: string;
  isAnswered: boolean;
  /** The deployment that it was about and is still there, in the version of then. */
  about: { id: string; name: string; version: number } | undefined;
  answers: { id: string; text: string; writtenAt: string }[];
};

/** A person writes at most 20 a day. Who wrote more than these finds the older ones among their mails. */
const maxMessages = 50;

/** The person's messages with their answers, newest first; row-level security hides others'. */
export async function listOwnMessages(
  supabase: SupabaseClient<Database>,
): Promise<SupportMessage[] | undefined> {
  const { data, error } = await supabase
    .from("contact_messages")
    .select("id, topic, message, created_at, status, deployment_id, deployment_version")
    .order("created_at", { ascending: false })
    .limit(maxMessages);
  if (error) return unread(error);
  if (data.length === 0) return [];
  const [answers, deployments] = await Promise.all([
    supabase
      .from("contact_answers")
      .select("id, message_id, answer, created_at")
      .in(
        "message_id",
        data.map(({ id }) => id),
      )
      .order("created_at"),
    supabase
      .from("deployments")
      .select("id, name")
      .in(
        "id",
        data.flatMap((row) => row.deployment_id ?? []),
      ),
  ]);
  if (answers.error) return unread(answers.error);
  if (deployments.error) return unread(deployments.error);
  const names = new Map(deployments.data.map(({ id, name }) => [id, name]));
  return data.map((row) => {
    const name = names.get(row.deployment_id ?? "");
    return {
      id: row.id,
      topic: row.topic,
      message: row.message,
      writtenAt: row.created_at,
      isAnswered: row.status === "answered",
      about:
        row.deployment_id && row.deployment_version && name
          ? { id: row.deployment_id, name, version: row.deployment_version }
          : undefined,
      answers: answers.data
        .filter(({ message_id }) => message_id === row.id)
        .map(({ id, answer, created_at }) => ({ id, text: answer, writtenAt: created_at })),
    };
  });
}

function unread(error: Error): undefined {
  log.error("Messages could not be read", describeError(error));
}
