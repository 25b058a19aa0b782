import { nextHour } from "~/ui/time-zones";
import { type Incident, isPaging } from "../incidents/incident";
import type { Monitor } from "../incidents/monitor.server";
import { morningHour } from "../incidents/morning";
import { type LinkContent, linkLivesMs } from "./acknowledge-link.server";
import { saveAnswer } from "./answers.server";
import {
  type Channel,
  channelTitle,
  type Message,
  type MessageIncident,
  viewOfChannel,
} from "./channel";
import { channelsIn } from "./channels.server";
import { messageIncident } from "./current-message";
import type { NotificationQueue } from "./queue.server";
import { zoneIn } from "./times/alert-times.server";

/** What one press on the page of a link does; each is done once by each link. */
export type LinkAct = "acknowledge" | "snooze-hour" | "snooze-morning";

/** What the page of a link shows. */
export type LinkView = {
  workspace: Message["workspace"];
  /** The first of those that the link is about, and how many there are in all. */
  incidents: (MessageIncident & { snoozedUntil?: number })[];
  count: number;
  /** How many of them page and nobody has acknowledged. */
  waiting: number;
  /** The workspace's time zone; a servers Worker of before does not say it. */
  zone?: string;
};

/** `until`: of a snooze, in milliseconds since 1970. */
export type LinkRequest = { act: LinkAct; until?: number; note?: string };

/** `used`: this link has done that before. `over`: nothing of it pages any more. `gone`: too old, or its channel was removed. */
export type LinkOutcome = "done" | "used" | "over" | "gone";

const maxListed = 12;

/** What people do by the links in messages of one fleet. */
export class LinkedIncidents {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #monitor: Monitor;
  readonly #queue: NotificationQueue;

  constructor(sql: SqlStorage, now: () => number, monitor: Monitor, queue: NotificationQueue) {
    this.#sql = sql;
    this.#now = now;
    this.#monitor = monitor;
    this.#queue = queue;
  }

  view(content: LinkContent, workspace: Message["workspace"]): LinkView | undefined {
    if (!this.#channelOf(content)) return;
    const all = this.#incidentsOf(content);
    const incidents = all.slice(0, maxListed).flatMap(({ id, snoozedUntil }) => {
      const present = this.#queue.present({ incident: id });
      if (!present) return [];
      const incident = messageIncident(present, this.#now());
      return [snoozedUntil === undefined ? incident : { ...incident, snoozedUntil }];
    });
    const waiting = all.filter((each) => isPaging(each) && !each.acknowledged).length;
    return { workspace, incidents, count: all.length, waiting, zone: zoneIn(this.#sql) };
  }

  use(content: LinkContent, { act, until: wanted, note }: LinkRequest): LinkOutcome {
    const channel = this.#channelOf(content);
    if (!channel) return "gone";
    const paging = this.#incidentsOf(content).filter(isPaging);
    if (paging.length === 0) return "over";
    const mark = `${content.channel} ${content.at / 1_000} ${act}`;
    const left = paging.filter(({ usedLinks }) => !usedLinks?.includes(mark));
    const at = this.#now();
    // A site of before says the morning of UTC.
    const isMorning = act === "snooze-morning";
    const until = isMorning ? nextHour(morningHour, zoneIn(this.#sql), at) : wanted;
    const by = { ...whoIs(channel), at, ...(note ? { note } : {}) };
    const person = channel.kind === "mail" ? { person: channel.person } : {};
    saveAnswer(this.#sql, left, {
      ...(act === "acknowledge"
        ? { action: "incident.acknowledged" as const }
        : { action: "incident.snoozed" as const, ...(until === undefined ? {} : { until }) }),
      ...{ who: by.who, ...person, at },
    });
    for (const { id } of left) {
      if (act === "acknowledge") this.#monitor.acknowledge(id, by, mark);
      else if (until !== undefined) this.#monitor.snooze(id, until, mark);
    }
    return left.length > 0 ? "done" : "used";
  }

  #channelOf({ channel, at }: LinkContent): Channel | undefined {
    if (this.#now() - at > linkLivesMs) return;
    return channelsIn(this.#sql).find(({ id }) => id === channel);
  }

  /** A link to all is to those that paged when its message was made, and still do. */
  #incidentsOf({ incident: id, at }: LinkContent): Incident[] {
    if (id !== undefined) return [this.#monitor.incident(id) ?? []].flat();
    const living = [...this.#monitor.living.values()];
    // The link has the second of its message, in which the incident may have begun.
    return living.filter((each) => isPaging(each) && (each.pagesSince ?? 0) < at + 1_000);
  }
}

/** A mail goes to one person; of another channel it is not known who reads it. */
function whoIs(channel: Channel): { by: string; who: string } {
  if (channel.kind === "mail") return { by: channel.person, who: channel.address };
  return { by: channel.id, who: `somebody by ${channelTitle(viewOfChannel(channel), true)}` };
}
