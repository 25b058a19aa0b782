/** What a token of a workspace may do, by the names that the database knows. What writes also reads what it writes. */
export const scopes = [
  "deployments:read",
  "deployments:write",
  "servers:read",
  "servers:write",
  "sessions:read",
  "alerts:read",
  "alerts:write",
  "webhooks:read",
  "webhooks:write",
] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (text: unknown): text is Scope => scopes.some((each) => each === text);

/** Whether scopes allow what asks for one: `deployments:write` also reads deployments. */
export function hasScope(all: readonly string[], wanted: Scope): boolean {
  return all.includes(wanted) || all.includes(wanted.replace(/:read$/, ":write"));
}
