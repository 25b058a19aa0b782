import { sql, type Transaction } from "kysely";

type Settings = Record<string, string>;
type Rpc = { method: string; path: string; requestHeaders?: Record<string, string> };
type Context = {
  auth?: { role?: string; uid?: string; jwt?: object };
  storage?: { operation?: string };
};

/** What the embedded server calls in a request's transaction, before the request's own statement. */
const methods = ["applyJwtSessionContext", "applyRpcRequestGucs"] as const;

/**
 * The embedded server sets each setting of a request by a statement of its own, up to eleven: half of what a short request
 * costs. Here one statement sets them all, as PostgREST does.
 */
export function joinRequestSettings(connection: object): void {
  for (const method of methods) {
    if (typeof Reflect.get(connection, method) === "function") continue;
    throw new Error(
      `@supabase/lite no longer has ${method}: look how it sets a request's role now.`,
    );
  }
  Object.assign(connection, {
    applyJwtSessionContext: (transaction: Transaction<unknown>, { auth, storage }: Context) => {
      const role = auth?.role ?? "anon";
      return set(transaction, {
        role,
        "request.jwt.claim.sub": auth?.uid ?? "",
        "request.jwt.claim.role": role,
        ...(auth?.jwt && { "request.jwt.claims": JSON.stringify(auth.jwt) }),
        "storage.operation": storage?.operation ?? "",
      });
    },
    applyRpcRequestGucs: (transaction: Transaction<unknown>, rpc: Rpc) =>
      set(transaction, {
        "response.status": "",
        "response.headers": "",
        "request.method": rpc.method,
        "request.path": rpc.path,
        "request.headers": JSON.stringify(rpc.requestHeaders ?? {}),
      }),
  });
}

/** Until the transaction ends. */
function set(transaction: Transaction<unknown>, settings: Settings): Promise<unknown> {
  const each = Object.entries(settings).map(
    ([name, value]) => sql`set_config(${sql.lit(name)}, ${sql.lit(value)}, true)`,
  );
  return sql`select ${sql.join(each)}`.execute(transaction);
}
