import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { sha256Hex } from "~/http/hashes";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { readStoredOptions } from "../stored-deployment";
import { type TestedServer, testedServerOf } from "../test-room/tested-server";
import { isLinkSecret } from "./links.server";

const rowSchema = z.object({
  is_open: z.boolean(),
  options: z.json(),
  server_ipv4: z.nullable(z.string()),
  server_ipv6: z.nullable(z.string()),
});

export type OpenTest = {
  state: "open";
  server: TestedServer;
  /** Where it is, as somebody pasted that in the console. */
  address: { ipv4?: string; ipv6?: string };
};

/** The server of a link. It is of the stored deployment alone: nothing of a request names one. */
export type FoundLink = OpenTest | { state: "unknown" | "ended" } | { state: "unavailable" };

export async function findTestLink(context: AppContext, secret: string): Promise<FoundLink> {
  if (!isLinkSecret(secret)) return { state: "unknown" };
  const { data, error } = await serviceClient(context.configuration).rpc("connection_test_link", {
    hash: await sha256Hex(secret),
  });
  if (error) {
    log.error("A link to a connection test could not be read", describeError(error));
    return { state: "unavailable" };
  }
  const [row] = z.array(rowSchema).parse(data);
  if (!row) return { state: "unknown" };
  const stored = readStoredOptions(row.options);
  if (!row.is_open || !("options" in stored)) return { state: "ended" };
  return { state: "open", server: testedServerOf(stored.options), address: addressOf(row) };
}

type StoredAddress = { server_ipv4: string | null; server_ipv6: string | null };

export function addressOf({ server_ipv4: ipv4, server_ipv6: ipv6 }: StoredAddress) {
  return { ...(ipv4 ? { ipv4 } : {}), ...(ipv6 ? { ipv6 } : {}) };
}
