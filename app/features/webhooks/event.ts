import * as z from "zod/mini";

const fields = z.nullable(z.union([z.record(z.string(), z.json()), z.string()]));

/** A line of the audit log as the database hands it out. */
export const auditEvent = z.object({
  id: z.number(),
  at: z.string(),
  actor: z.nullable(z.string()),
  actor_address: z.string(),
  action: z.string(),
  target: z.string(),
  target_id: z.nullable(z.string()),
  before: fields,
  after: fields,
});
export type AuditEvent = z.infer<typeof auditEvent>;

/** The id of an event, the same at each try and at each webhook. */
export const eventId = ({ id }: Pick<AuditEvent, "id">): string => `audit_${id}`;

/** What these actions are about is named by a customer's users: an identity whom agents serve. */
const namedByUsers = /^allowance\./;

/** An event as a webhook gets it. The network that the log has of people, and names by a customer's users, stay here. */
export function eventBody(event: AuditEvent): string {
  const { action, at, actor, actor_address, target, target_id, before, after } = event;
  return JSON.stringify({
    type: action,
    timestamp: new Date(at).toISOString(),
    data: {
      id: eventId(event),
      actor: { kind: actorKind(event), id: actor, name: actor_address || null },
      target: { id: target_id, name: namedByUsers.test(action) ? null : target || null },
      before,
      after,
    },
  });
}

/** A line that is no account's has a name where somebody acted by a link or at PagerDuty. */
function actorKind({ actor, actor_address }: AuditEvent): "member" | "token" | "link" | "site" {
  if (actor === null) return actor_address ? "link" : "site";
  return actor_address.startsWith("Token ") ? "token" : "member";
}
