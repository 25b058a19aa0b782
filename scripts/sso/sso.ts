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

  offer       its owner may prove domains and name the provider's metadata, on the settings page
  connect     registers the provider for the proved domains; again, after another domain was proved
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
    .select("provider, metadata_url, sso_domains (domain, verified_at)")
    .eq("workspace_id", workspace.id)
    .maybeSingle()
    .throwOnError();
  if (!connection) throw new PlainFailure("Offer it first: npm run sso -- offer SLUG");
  const provider: string | undefined = connection.provider?.replace("sso:", "");
  const providers = `${url}/auth/v1/admin/sso/providers`;
  if (act === "disconnect") {
    await connections()
      .update({ provider: null, is_required: false })
      .eq("workspace_id", workspace.id)
      .throwOnError();
    if (provider) await ask("DELETE", `${providers}/${provider}`, key);
    return console.log("✓ Nobody signs in by it any more.");
  }
  const domains = connection.sso_domains
    .filter(({ verified_at }: { verified_at: string | null }) => verified_at)
    .map(({ domain }: { domain: string }) => domain);
  if (domains.length === 0) throw new PlainFailure("No domain is proved yet.");
  if (!connection.metadata_url) throw new PlainFailure("The owner has named no metadata yet.");
  if (provider) {
    await ask("PUT", `${providers}/${provider}`, key, { domains });
    return console.log(`✓ Its domains are ${domains.join(", ")}.`);
  }
  const made = await ask("POST", providers, key, {
    type: "saml",
    metadata_url: connection.metadata_url,
    domains,
    attribute_mapping: { keys: { email: { names: ["email", "mail"] } } },
  });
  await connections()
    .update({ provider: `sso:${made.id}` })
    .eq("workspace_id", workspace.id)
    .throwOnError();
  console.log(`✓ Connected for ${domains.join(", ")}.`);
}

/** One call of the auth server's admin API. Its refusal is said with its code. */
async function ask(
  method: string,
  url: string,
  key: string,
  body?: object,
): Promise<{ id: string }> {
  const response = await fetch(url, {
    method,
    headers: {
      apikey: key,
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as { id: string; error_code?: string; msg?: string };
  if (response.ok) return answer;
  const { error_code = "", msg = "" } = answer;
  throw new PlainFailure(`The auth server refused (${response.status} ${error_code}): ${msg}`);
}
