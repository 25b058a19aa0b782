import { localVariables } from "../../fakes/dev-vars.ts";
import { startFakes } from "../../fakes/start-fakes.ts";
import { signInCustomer } from "./customer.ts";
import { startWorkerd } from "./workerd.ts";

const portBase = 24810;
const siteUrl = "http://127.0.0.1:24802";

/** The built Worker in raw workerd, its fakes in this process, and a signed-in customer's cookie. */
export async function startSite(directory: string) {
  const variables = localVariables({ siteUrl, portBase });
  await using started = new AsyncDisposableStack();
  const fakes = await startFakes({ variables, siteUrl, portBase });
  started.defer(() => fakes.close());
  const { supabase } = fakes;
  if (!supabase) throw new Error("The benchmark needs the local Supabase: see .dev.vars.example");
  const workerd = started.use(await startWorkerd(directory, variables));
  const cookie = await signInCustomer(fakes, variables.SUPABASE_PUBLISHABLE_KEY ?? "");
  const transferred = started.move();
  return {
    workerd,
    variables,
    addresses: fakes.addresses,
    query: supabase.query,
    cookie,
    [Symbol.asyncDispose]: () => transferred.disposeAsync(),
  };
}

export type Site = Awaited<ReturnType<typeof startSite>>;
