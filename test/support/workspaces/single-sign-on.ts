import { fakes, runSql } from "../site/control-fakes.ts";
import { Visitor } from "../site/visitor.ts";
import { newWorkspace, type StoredWorkspace } from "./workspaces.ts";

export type ConnectedWorkspace = StoredWorkspace & { provider: string };

/** A workspace of somebody's whose provider may speak for these domains, as an operator connects it. */
export async function connectedWorkspace(
  owner: string,
  slug: string,
  domains: readonly string[],
): Promise<ConnectedWorkspace> {
  const workspace = await newWorkspace(owner, slug);
  const id = crypto.randomUUID();
  const metadata = `https://${slug}.example/metadata`;
  await runSql("insert into auth.sso_providers (id, metadata_url, domains) values ($1, $2, $3)", [
    id,
    metadata,
    domains,
  ]);
  await runSql(
    "insert into public.sso_connections (workspace_id, provider, metadata_url) values ($1, $2, $3)",
    [workspace.id, `sso:${id}`, metadata],
  );
  for (const domain of domains) {
    await runSql(
      "insert into public.sso_domains (workspace_id, domain, verified_at) values ($1, $2, now())",
      [workspace.id, domain],
    );
  }
  return { ...workspace, provider: `sso:${id}` };
}

/** Names an address on the page for single sign-on, and answers the page. */
export async function nameWorkAddress(visitor: Visitor, email: string, next = "/dashboard") {
  const response = await visitor.post("/signin/sso", { email, next });
  const page = await response.text();
  const [, relay = ""] = /\/_idp\?[^"]*RelayState=([0-9a-f-]{36})/.exec(page) ?? [];
  return { status: response.status, page, relay };
}

/** Comes back from the provider, which asserts an address: by default the one that was named. Answers where that ends. */
export async function signInBySso(
  email: string,
  asserted = email,
  visitor = new Visitor(),
  next = "/dashboard",
) {
  const { relay } = await nameWorkAddress(visitor, email, next);
  const acs = `${fakes().supabase.url}/auth/v1/sso/saml/acs`;
  const back = await visitor.post(acs, { RelayState: relay, email: asserted });
  const address = new URL(back.headers.get("location") ?? "");
  const arrival = await visitor.request(address.pathname + address.search);
  return { visitor, address, location: arrival.headers.get("location") ?? "" };
}

/** The roles of everybody with an address in a workspace. */
export function rolesIn({ id }: StoredWorkspace, email: string) {
  return runSql<{ role: string; is_sso_user: boolean }>(
    `select m.role, u.is_sso_user from public.members m join auth.users u on u.id = m.user_id
     where m.workspace_id = $1 and u.email = $2 order by u.is_sso_user`,
    [id, email],
  );
}
