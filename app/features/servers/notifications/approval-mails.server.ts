import type { MailWords } from "~/features/mail/mail-layout";
import { momentOf } from "~/ui/dates";
import { hoursEnd } from "../hours";
import type { WaitingRollout } from "../rollouts/rollouts.server";
import { senderSettings } from "../sender-settings.server";
import { factsIn } from "../state/workspace-facts.server";
import { saveSetting, settingIn } from "../storage/tables.server";
import type { Message } from "./channel";
import { channelsIn } from "./channels.server";
import { isGivenUp, waitAfter } from "./deliveries.server";
import { serverAddress } from "./message-words";
import { postMail } from "./senders/mail.server";
import { messageWorkspace } from "./senders/post.server";
import { giveMailBack, takeMail } from "./senders/send.server";
import { zoneIn } from "./times/alert-times.server";

const minute = 60_000;
/** Whoever asks and approves at the same screen is done before anybody gets a mail. */
const delayMs = 2 * minute;
/** About one server nobody gets a mail sooner after another. Of what gave way meanwhile none is sent. */
const everyMs = 15 * minute;
const maxAtOnce = 5;

/** A mail to one approver that waits. Times in milliseconds since 1970. */
type ApprovalMail = { rollout: string; person: string; due: number; from: number; tries: number };
/** `next`: when the next mail about a server may be sent, by its id. */
type Stored = { waiting: ApprovalMail[]; next: Record<string, number> };

const setting = "approval-mails";
const none: Stored = { waiting: [], next: {} };

/** The mails to approvers for whom a rollout waits. They are no channels: whose passkey is removed gets none. */
export class ApprovalMails {
  readonly #sql: SqlStorage;
  readonly #env: ServersEnv;
  readonly #now: () => number;
  readonly #waiting: (rollout: string) => WaitingRollout | undefined;

  constructor(
    sql: SqlStorage,
    env: ServersEnv,
    now: () => number,
    waiting: (rollout: string) => WaitingRollout | undefined,
  ) {
    this.#sql = sql;
    this.#env = env;
    this.#now = now;
    this.#waiting = waiting;
  }

  add(id: string): void {
    const found = this.#waiting(id);
    const server = found?.rollout.targets[0]?.server;
    if (!found || server === undefined) return;
    const now = this.#now();
    const { waiting, next } = this.#stored();
    const due = Math.max(now + delayMs, next[server] ?? 0);
    const mails = [...found.addresses.keys()].map((person) => ({
      ...{ rollout: id, person, due, from: due, tries: 0 },
    }));
    if (mails.length === 0) return;
    const others = waiting.filter(({ rollout }) => this.#waiting(rollout));
    this.#save({ waiting: [...others, ...mails], next });
  }

  due(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#stored().waiting.map(({ due }) => due));
  }

  async sendDue(): Promise<void> {
    const now = this.#now();
    const due = this.#stored().waiting.filter((each) => each.due <= now);
    await Promise.all(
      due.slice(0, maxAtOnce).map(async (mail) => {
        const later = await this.#try(mail, now);
        const { waiting, next } = this.#stored();
        const others = waiting.filter((each) => !isSame(each, mail));
        this.#save({ waiting: later ? [...others, later] : others, next });
      }),
    );
  }

  /** One try; the mail as it is tried next, or undefined where it is done. */
  async #try(mail: ApprovalMail, now: number): Promise<ApprovalMail | undefined> {
    const { rollout: id, person, tries } = mail;
    const found = this.#waiting(id);
    const address = found?.addresses.get(person);
    if (!found || !address) return;
    const quiet = hoursEnd(this.#quietHours(person), zoneIn(this.#sql), now);
    if (quiet !== undefined) return { ...mail, due: quiet, from: quiet };
    const again = { ...mail, due: now + waitAfter(tries), tries: tries + 1 };
    const settings = senderSettings(this.#env);
    const taken = settings && takeMail(this.#sql, address, "approval", now);
    if (!settings || !taken) return isGivenUp(again, again.due) ? undefined : again;
    const words = approvalWords(found, {
      workspace: messageWorkspace(this.#env, factsIn(this.#sql)),
      deployment: factsIn(this.#sql)?.deployments?.[found.rollout.deployment]?.name,
    });
    const sent = await postMail(settings, { key: `${id}-${person}`, address, words });
    if (sent.ok) return this.#recordSent(found);
    if (!sent.isUnknown) giveMailBack(this.#sql, taken, now);
    return sent.retry && !isGivenUp(again, again.due) ? again : undefined;
  }

  #recordSent({ servers }: WaitingRollout): undefined {
    const now = this.#now();
    const { waiting, next } = this.#stored();
    const later = Object.entries(next).filter(([, at]) => at > now);
    const these = servers.map(({ id }) => [id, now + everyMs]);
    this.#save({ waiting, next: Object.fromEntries([...later, ...these]) });
  }

  /** Those of the person's own mails about incidents. */
  #quietHours(person: string) {
    return channelsIn(this.#sql).find((each) => each.kind === "mail" && each.person === person)
      ?.quiet;
  }

  #stored(): Stored {
    return settingIn<Stored>(this.#sql, setting) ?? none;
  }

  #save(stored: Stored): void {
    saveSetting(this.#sql, setting, stored);
  }
}

const isSame = (one: ApprovalMail, other: ApprovalMail): boolean =>
  one.rollout === other.rollout && one.person === other.person;

const at = (time: number): string => momentOf(new Date(time));

/** What, where, who asked and when: nothing in it approves anything. Times are in UTC. */
function approvalWords(
  { rollout, servers }: WaitingRollout,
  of: { workspace: Message["workspace"]; deployment: string | undefined },
): MailWords {
  const { version, requestedBy, beginsAt, endsAt } = rollout;
  const { workspace, deployment } = of;
  const [first] = servers;
  const begins =
    beginsAt === undefined
      ? `Approved, it begins at once. Without approval it ends at ${at(endsAt)}.`
      : `Approved, it begins between ${at(beginsAt)} and ${at(endsAt)}. Without approval by then it ends.`;
  const where = servers.map(({ name }) => name).join(", then ");
  const page = first ? serverAddress(workspace.address, { server: first }) : workspace.address;
  return {
    subject: `Version ${version}${deployment ? ` of ${deployment}` : ""} waits for your approval`,
    paragraphs: [
      `${requestedBy} asked for it on ${where}.`,
      begins,
      "The page shows what changed. You approve it there with your passkey; this mail approves nothing.",
    ],
    button: { label: `Open ${first?.name ?? "your servers"}`, address: `${page}#rollout` },
    footer: `You get this mail because a passkey of yours approves versions in ${workspace.name}. Remove it here: ${workspace.address}/approvers`,
  };
}
