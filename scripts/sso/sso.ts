// Opens single sign-on for a workspace, connects its identity provider at the auth server, or disconnects it. An operator
// runs it: the Worker registers no provider (docs/decisions/0073). Exit codes: 0 done, 1 refused or failed, 2 called wrongly.
import { createClient } from "@supabase/supabase-js";
import { readCommandLine } from "../lib/command-line.ts";
import { readSettings, required, runCommand, UsageError } from "../lib/settings.ts";
import { PlainFailure } from "../lib/terminal.mjs";

const usage = "npm run sso -- offer|connect|disconnect SLUG [--env-file FILE]";
const { values, words } = readCommandLine({
  usage,
  about: `Single sign-on of a workspace, whose SLUG stands in its address after /dashboard/w/. It changes the site's database
and the auth server's providers, of SUPABASE_URL with SUPABASE_SECRET_KEY.

  offer       its owner may verify domains and name the provider's metadata, on the settings page
  connect     registers the provider for the verified domains; again, after another domain was verified
  disconnect  takes the provider away, here and at the auth server`,
  takesWords: true,
  options: {
    "env-file": { type: "string", value: "FILE", help: "a file with both variables" },
  },
});

await runCommand(usage, run, "✗ ");

async function run(): Promise<void> {
  const [act = "", slug = "", another] = words;
  if (another || !slug || !["offer", "connect", "disconnect"].includes(act)) {
    throw new UsageError("Say what to do, and for which workspace.");
  }
  const settings = readSettings(values["env-file"]);
  const url = required(settings, "SUPABASE_URL");
  const key = required(settings, "SUPABASE_SECRET_KEY");
  const database = createClient(url, key, { auth: { persistSession: false } });
  const { data: workspace } = await database
    .from("workspaces")
    .select("id")
    .eq("slug", slug)
    .maybeSingle()
    .throwOnError();
  if (!workspace) throw new PlainFailure(`There is no workspace ${slug}.`);
  const connections = () => database.from("sso_connections");
  if (act === "offer") {
    await connections().upsert({ workspace_id: workspace.id }).throwOnError();
    return console.log("✓ The owner sees single sign-on on the settings page now.");
  }
  const { data: connection } = await connections()
    .select("provider, ended_provider, metadata_url, sso_domains (domain, verified_at)")
    .eq("workspace_id", workspace.id)
    .maybeSingle()
    .throwOnError();
  if (!connection) throw new PlainFailure("Offer it first: npm run sso -- offer SLUG");
  const domains = connection.sso_domains
    .filter(({ verified_at }: { verified_at: string | null }) => verified_at)
    .map(({ domain }: { domain: string }) => domain);
  const providers = `${url}/auth/v1/admin/sso/providers`;
  const record = (columns: object) =>
    connections().update(columns).eq("workspace_id", workspace.id).throwOnError();
  /** Takes away at the auth server what serves this workspace no more: what has ended, and what nobody recorded. */
  const removeFormer = async (ended: string | null) => {
    if (ended) await takeAway(idOf(ended));
    for (const id of await strays()) await takeAway(id);
    if (ended) await record({ ended_provider: null });
  };
  const takeAway = (id: string) => ask("DELETE", `${providers}/${id}`, key, { isGone: 404 });
  /** The providers with a verified domain of this workspace that no workspace has: a connection was broken off. */
  const strays = async () => {
    const { items = [] } = await ask("GET", providers, key);
    const found = items
      .filter((each) => each.domains?.some(({ domain }) => domains.includes(domain)))
      .map(({ id }) => id);
    if (found.length === 0) return [];
    const { data: recorded } = await connections()
      .select("provider")
      .in("provider", found.map(nameOf))
      .throwOnError();
    return found.filter((id) => !recorded.some(({ provider }) => provider === nameOf(id)));
  };

  if (act === "disconnect") {
    const ended = connection.provider ?? connection.ended_provider;
    if (connection.provider) {
      if (connection.ended_provider) await removeFormer(connection.ended_provider);
      // Noted before it is gone there, so that a call that fails can be made again.
      await record({ provider: null, is_required: false, ended_provider: ended });
    }
    await removeFormer(ended);
    return console.log("✓ Nobody signs in by it any more.");
  }
  if (domains.length === 0) throw new PlainFailure("No domain is verified yet.");
  if (!connection.metadata_url) throw new PlainFailure("The owner has named no metadata yet.");
  if (connection.provider) {
    await ask("PUT", `${providers}/${idOf(connection.provider)}`, key, { body: { domains } });
    return console.log(`✓ Its domains are ${domains.join(", ")}.`);
  }
  await removeFormer(connection.ended_provider);
  const made = await ask("POST", providers, key, {
    body: {
      type: "saml",
      metadata_url: connection.metadata_url,
      domains,
      attribute_mapping: { keys: { email: { names: ["email", "mail"] } } },
    },
  });
  try {
    await record({ provider: nameOf(made.id) });
  } catch (error) {
    await takeAway(made.id);
    const reason = error instanceof Error ? error.message : String(error);
    throw new PlainFailure(`The database did not take it, so it is connected nowhere: ${reason}`);
  }
  console.log(`✓ Connected for ${domains.join(", ")}.`);
}

/** A provider as identities name it. */
function nameOf(id: string): string {
  return `sso:${id}`;
}

/** Its id at the auth server. */
function idOf(name: string): string {
  return name.replace("sso:", "");
}

type Answer = {
  id: string;
  items?: { id: string; domains?: { domain: string }[] }[];
  error_code?: string;
  msg?: string;
};

/** One call of the auth server's admin API. Its refusal is said with its code; a status of `isGone` is none. */
async function ask(
  method: string,
  url: string,
  key: string,
  { body, isGone }: { body?: object; isGone?: number } = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      apikey: key,
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as Answer;
  if (response.ok || response.status === isGone) return answer;
  const { error_code = "", msg = "" } = answer;
  throw new PlainFailure(`The auth server refused (${response.status} ${error_code}): ${msg}`);
}
