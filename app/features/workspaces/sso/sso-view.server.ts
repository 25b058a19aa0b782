import * as z from "zod/mini";
import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { momentOf } from "~/ui/dates";

const row = z.object({
  provider: z.nullable(z.string()),
  metadata_url: z.nullable(z.string()),
  is_required: z.boolean(),
  sso_domains: z.array(
    z.object({ domain: z.string(), token: z.string(), verified_at: z.nullable(z.string()) }),
  ),
});

export type SsoView = Awaited<ReturnType<typeof ssoView>>;

/** The name and the text of the DNS record by which a domain is verified. */
export function ssoRecord(domain: string, token: string): { name: string; text: string } {
  return { name: `_livekit-deploy.${domain}`, text: `livekit-deploy=${token}` };
}

/**
 * What the settings show of a workspace's single sign-on. "none" where it is not part of what the workspace has agreed on,
 * undefined where the site does not offer it, or nobody can say.
 */
export async function ssoView({ configuration }: AppContext, workspace: string) {
  if (!configuration.SINGLE_SIGN_ON) return;
  const { data, error } = await serviceClient(configuration)
    .from("sso_connections")
    .select("provider, metadata_url, is_required, sso_domains (domain, token, verified_at)")
    .eq("workspace_id", workspace)
    .maybeSingle();
  if (error) {
    log.error("Single sign-on was not read", describeError(error));
    return;
  }
  if (!data) return "none" as const;
  const { provider, metadata_url, is_required, sso_domains } = row.parse(data);
  return {
    isConnected: provider !== null,
    metadata: metadata_url ?? "",
    // An operator connects what has a verified domain and an address of its metadata.
    isReady: metadata_url !== null && sso_domains.some(({ verified_at }) => verified_at !== null),
    isRequired: is_required,
    domains: sso_domains
      .map(({ domain, token, verified_at }) => ({
        domain,
        record: ssoRecord(domain, token),
        since: verified_at ? momentOf(verified_at) : undefined,
      }))
      .toSorted((one, other) => one.domain.localeCompare(other.domain)),
  };
}
