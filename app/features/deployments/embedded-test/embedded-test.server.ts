import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { addressOf, type OpenTest } from "../connection-test/linked-test.server";
import type { StoredResult } from "../connection-test/result";
import { readStoredOptions } from "../stored-deployment";
import { testedServerOf } from "../test-room/tested-server";
import { isFrameOrigin } from "./embed";
import { reportOf } from "./report";

const rowSchema = z.object({
  is_open: z.boolean(),
  label: z.string(),
  origins: z.array(z.string()),
  channel: z.nullable(z.string()),
  deployment_id: z.string(),
  deployment: z.string(),
  workspace_id: z.string(),
  options: z.json(),
  server_ipv4: z.nullable(z.string()),
  server_ipv6: z.nullable(z.string()),
});

/** An embedded test. Server and origins are of the database alone: nothing of a request names one. */
export type FoundEmbed =
  | OpenEmbed
  | { state: "ended"; origins: readonly string[] }
  | { state: "unknown" }
  | { state: "unavailable" };

export type OpenEmbed = OpenTest & {
  origins: readonly string[];
  label: string;
  channel: string | null;
  deployment: { id: string; name: string };
  workspace: string;
};

export async function findEmbed(context: AppContext, embed: string): Promise<FoundEmbed> {
  if (!z.uuid().safeParse(embed).success) return { state: "unknown" };
  const { data, error } = await serviceClient(context.configuration).rpc("connection_test_embed", {
    embed,
  });
  if (error) {
    log.error("An embedded connection test could not be read", describeError(error));
    return { state: "unavailable" };
  }
  const [row] = z.array(rowSchema).parse(data);
  if (!row) return { state: "unknown" };
  const origins = row.origins.filter(isFrameOrigin);
  const stored = readStoredOptions(row.options);
  if (!row.is_open || !("options" in stored)) return { state: "ended", origins };
  return {
    ...{ state: "open", origins, label: row.label, channel: row.channel },
    server: testedServerOf(stored.options),
    address: addressOf(row),
    deployment: { id: row.deployment_id, name: row.deployment },
    workspace: row.workspace_id,
  };
}

/** Keeps what an embedded test found, and hands it to the customer's webhook if it has one. */
export async function saveEmbeddedResult(
  { configuration, bindings }: AppContext,
  id: string,
  found: OpenEmbed,
  result: StoredResult,
  reference: string | undefined,
): Promise<"kept" | "gone" | "full" | "unavailable"> {
  const { data, error } = await serviceClient(configuration).rpc("keep_embedded_connection_test", {
    embed: id,
    found_result: result,
  });
  if (error) {
    log.error("The result of a connection test could not be kept", describeError(error));
    return "unavailable";
  }
  if (data !== "kept") return data === "full" ? "full" : "gone";
  if (found.channel) {
    const report = reportOf({ ...found, embed: { id, label: found.label } }, result, reference);
    try {
      await bindings.FLEETS.sendConnectionTest(found.workspace, found.channel, report);
    } catch (error) {
      // The result is in the console all the same.
      log.error("A connection test was not handed to its webhook", describeError(error));
    }
  }
  return "kept";
}
