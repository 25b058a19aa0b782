import * as z from "zod/mini";
import { fakeAddresses } from "../../../fakes/addresses.ts";
import { defaultPortBase } from "../../../fakes/dev-vars.ts";
import { portFromEnvironment } from "../../lib/ports.ts";
import { siteOf } from "./local-console.ts";
import type { Vm } from "./vm.ts";

const rows = z.array(z.object({ slug: z.string() }));

/**
 * Where people see the server that a machine is, in the workspace that it was connected to. Only the fake database lets
 * this script read the workspace's name in addresses; with another database it is the dashboard.
 */
export async function pageAddress({ identity, workspace, server }: Vm): Promise<string> {
  const dashboard = `${siteOf(identity.consoleUrl)}/dashboard`;
  const slug = workspace && (await slugOf(workspace).catch(() => undefined));
  return slug ? `${dashboard}/w/${slug}/servers/${server}` : dashboard;
}

async function slugOf(workspace: string): Promise<string | undefined> {
  const { supabase } = fakeAddresses(portFromEnvironment("LOCAL_PORT_BASE", defaultPortBase));
  const response = await fetch(`${supabase.url}/_local/sql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      sql: "select slug from public.workspaces where id = $1",
      parameters: [workspace],
    }),
    signal: AbortSignal.timeout(5_000),
  });
  return rows.parse(await response.json())[0]?.slug;
}
