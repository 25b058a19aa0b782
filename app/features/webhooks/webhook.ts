import type { Sent } from "~/features/servers/notifications/channel";

/** What a webhook may be limited to, each with the actions of the audit log, by what stands before their point. */
export const eventGroups = {
  people: ["session", "member", "invitation"],
  workspace: ["workspace", "webhook"],
  deployments: ["deployment"],
  servers: ["server", "rollout", "approver", "threshold", "room"],
  alerts: ["channel", "rota", "alerts", "incident"],
  agents: ["configuration", "token", "allowance"],
  billing: ["plan", "checkout", "billing", "purchase"],
} as const;

export type EventGroup = keyof typeof eventGroups;
export const eventGroupNames = Object.keys(eventGroups) as EventGroup[];

export const isEventGroup = (name: unknown): name is EventGroup =>
  eventGroupNames.some((each) => each === name);

/** Whether a webhook with these groups gets an event. One of a kind that is not known here goes to those that get all. */
export function hasEvent(groups: readonly EventGroup[], type: string): boolean {
  const [subject] = type.split(".");
  const group = eventGroupNames.find((name) => eventGroups[name].some((each) => each === subject));
  return group ? groups.includes(group) : groups.length === eventGroupNames.length;
}

export const maxWebhooks = 5;
/** For so long after a new secret the former one signs too. */
export const overlapMs = 24 * 3_600_000;
/** A webhook at which nothing arrived for so long is switched off, and an event that it refuses is given up. */
export const failingMs = 5 * 24 * 3_600_000;

/** Why nothing is sent: a person switched it off; nothing arrived; it answered 410; more waited than fits. */
export type OffReason = "person" | "failing" | "gone" | "full";

/** A webhook as its object has it. Its secrets, and the path of its address, leave it for the address alone. */
export type WorkspaceWebhook = {
  id: string;
  url: string;
  /** Begins with whsec_. */
  secret: string;
  /** The secret of before signs as well until then, so that receivers change over at leisure. */
  former?: { secret: string; until: number } | undefined;
  groups: readonly EventGroup[];
  madeAt: number;
  off?: { at: number; why: OffReason } | undefined;
  /** Since when nothing arrived, and what the last try met; `isAway`: no answer about the event, so that all wait. */
  failing?: { since: number; reason: string; isAway: boolean } | undefined;
};

/** An event on its way to a webhook, or there. */
export type DeliveryView = {
  id: string;
  type: string;
  at: number;
  state: "waiting" | "delivered" | "failed";
  tries: number;
  triedAt?: number | undefined;
  /** What the last try met, where it did not arrive. */
  reason?: string | undefined;
};

/** A webhook as people see it: without a secret, and of its address the host. */
export type WebhookView = Pick<WorkspaceWebhook, "id" | "groups" | "madeAt" | "off" | "failing"> & {
  host: string;
  formerUntil?: number | undefined;
  waiting: number;
  /** The newest first. */
  deliveries: DeliveryView[];
};

/** `secret`: of a program's own making; without it one is made. */
export type WebhookRequest = { url: string; groups: readonly EventGroup[]; secret?: string };
export type WebhookChange = {
  url?: string | undefined;
  groups?: readonly EventGroup[] | undefined;
};

type WebhookRefusal = { refused: "too-many" } | { refused: "address"; says: string };
export type CheckedWebhook = { host: string } | WebhookRefusal;
/** `secret`: shown in this answer alone. */
export type AddedWebhook = { webhook: WebhookView; secret: string } | WebhookRefusal;
export type ChangedWebhook = { webhook: WebhookView } | WebhookRefusal;

/** One try of a message of our own, and what it came to. */
export type WebhookTest = { delivery: DeliveryView; sent: Sent };

/** What the servers Worker does about a workspace's webhooks. Where there is no such one the answer is undefined or false. */
export type WebhookCalls = {
  webhooks(workspace: string): Promise<WebhookView[]>;
  /** Whether an address can be that of a webhook, and its host; `isNew`: of one more. */
  checkWebhook(workspace: string, url: string, isNew: boolean): Promise<CheckedWebhook>;
  addWebhook(workspace: string, request: WebhookRequest): Promise<AddedWebhook>;
  changeWebhook(
    workspace: string,
    id: string,
    change: WebhookChange,
  ): Promise<ChangedWebhook | undefined>;
  /** The secret that signs from now on. */
  rotateWebhook(workspace: string, id: string, secret?: string): Promise<string | undefined>;
  enableWebhook(workspace: string, id: string): Promise<boolean>;
  disableWebhook(workspace: string, id: string): Promise<boolean>;
  testWebhook(workspace: string, id: string): Promise<WebhookTest | undefined>;
  /** False for an event that waits already, too. */
  sendEventAgain(workspace: string, id: string, event: string): Promise<boolean>;
};

/** That a webhook was switched off, and not by a person: for the audit log and the owners. */
export type WebhookNotice = { id: string; at: string; webhook: string; host: string };
