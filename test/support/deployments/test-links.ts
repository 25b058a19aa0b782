import { createHash, randomBytes } from "node:crypto";
import { database } from "../database/database.ts";

export const hashOfSecret = (secret: string) => createHash("sha256").update(secret).digest("hex");

/** Stores an open link to a test of a deployment; answers its id. */
export async function storeTestLink(deployment: string, secret = newSecret()): Promise<string> {
  const { data } = await database
    .from("connection_test_links")
    .insert({ deployment_id: deployment, secret_hash: hashOfSecret(secret), label: "An office" })
    .select("id")
    .single()
    .throwOnError();
  return data.id;
}

/** What a link ends with. */
export const newSecret = () => randomBytes(16).toString("base64url");

/** Stores an open embedded test of a deployment, which pages of these origins may frame; answers its id. */
export async function storeTestEmbed(
  deployment: string,
  origins: string[] = ["https://help.example.com"],
  channel: string | null = null,
): Promise<string> {
  const { data } = await database
    .from("connection_test_embeds")
    .insert({ deployment_id: deployment, label: "The help page", origins, channel })
    .select("id")
    .single()
    .throwOnError();
  return data.id;
}
