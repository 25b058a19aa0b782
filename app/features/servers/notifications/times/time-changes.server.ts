import * as z from "zod/mini";
import { clockOf, isTimeZone, readWallTime } from "~/ui/time-zones";
import {
  auditAlertChange,
  type ChangeRefusal,
  notReached,
  refused,
} from "../../audit-change.server";
import { orUndefined } from "../../fleets.server";
import { type Hours, hoursWords } from "../../hours";
import {
  type AlertScope,
  channelIn,
  goneChannel,
  notConnected,
  readChannels,
  targetOf,
} from "../alert-scope.server";
import type { DoneAlert } from "../alerts-view.server";
import type { AlertTimesChange } from "./alert-times";
import { personOf } from "./rota";
import { personLabel, weekdays } from "./rota-words";

// The forms of the page of alerts about time: the rota, who is away, the time zone, quiet hours.

type Outcome = { ok: true; done: DoneAlert } | ChangeRefusal;

export const timeChanges = {
  rota: setRota,
  "rota-end": (scope) =>
    change(scope, { rota: null }, () => ({ action: "rota.ended" }), "rota-end"),
  absence: (scope) => changeAbsence(scope, "absence"),
  "absence-end": (scope) => changeAbsence(scope, "absence-end"),
  zone: setZone,
  quiet: setQuietHours,
} satisfies Record<string, (scope: AlertScope) => Promise<Outcome>>;

const personId = z.guid();

/** A whole number of the form, up to this one. */
function numberIn(form: URLSearchParams, name: string, max: number): number | undefined {
  const typed = form.get(name) ?? "";
  return /^\d\d?$/.test(typed) && Number(typed) <= max ? Number(typed) : undefined;
}

function dayIn(form: URLSearchParams, name: string): string | undefined {
  return readWallTime(`${form.get(name)}T00:00`)?.slice(0, 10);
}

const noRota = refused(400, "Choose at least one person, a day and an hour.");
/** The fleet found that it cannot be: somebody's channels are gone, or the rota is. */
const notPossible = refused(409, "Somebody of these has no channel any more. Load the page again.");

async function setRota(scope: AlertScope): Promise<Outcome> {
  const { form } = scope;
  const chosen = [...form].flatMap(([name, value]) =>
    /^person-\d$/.test(name) && value ? [value] : [],
  );
  const people = [...new Set(chosen)];
  const [weekday, hour] = [numberIn(form, "weekday", 6), numberIn(form, "hour", 23)];
  const isWrong = people.length === 0 || people.some((each) => !personId.safeParse(each).success);
  if (isWrong || weekday === undefined || hour === undefined) return noRota;
  const rota = { people, weekday, hour };
  const handover = `${weekdays[weekday]}, ${clockOf(hour)}`;
  const line = (labelOf: LabelOf): Line => {
    const order = people.map(labelOf).join(", ");
    return { action: "rota.set", after: { order, handover } };
  };
  return change(scope, { rota }, line, "rota", people);
}

async function changeAbsence(scope: AlertScope, done: "absence" | "absence-end"): Promise<Outcome> {
  const { form } = scope;
  const who = personId.safeParse(form.get("person"));
  const [from, until] = [dayIn(form, "from"), dayIn(form, "until")];
  if (!who.success || !from || !until || until < from) {
    return refused(400, "Choose somebody, and a first and a last day.");
  }
  const absence = { person: who.data, from, until };
  return change(
    scope,
    done === "absence" ? { absence } : { absence, isOver: true },
    (labelOf) => ({
      action: done === "absence" ? "rota.absence" : "rota.absence-ended",
      ...{ target: labelOf(who.data), after: { from, until } },
    }),
    done,
    done === "absence" ? [who.data] : [],
  );
}

async function setZone(scope: AlertScope): Promise<Outcome> {
  const zone = (scope.form.get("zone") ?? "").trim();
  if (!isTimeZone(zone)) {
    return refused(400, "This time zone is not known. Write it like Europe/Berlin, or UTC.");
  }
  return change(scope, { zone }, () => ({ action: "alerts.zone-set", target: zone }), "zone");
}

/** What the audit log calls somebody: no line of it has a whole address. */
type LabelOf = (person: string) => string;
type Line = Omit<Parameters<typeof auditAlertChange>[1], "target"> & { target?: string };

/** `people`: who must have a channel. What cannot be is noted in no audit log. */
async function change(
  scope: AlertScope,
  what: AlertTimesChange,
  lineOf: (labelOf: LabelOf) => Line,
  done: DoneAlert,
  people: readonly string[] = [],
): Promise<Outcome> {
  const answer = await readChannels(scope);
  if (!answer) return notReached("alerts");
  const { channels } = answer;
  if (!channels) return notConnected;
  const reached = new Set(channels.map(personOf));
  if (people.some((each) => !reached.has(each))) return notPossible;
  const line = lineOf((each) => personLabel(channels, each, false));
  const audited = await auditAlertChange(scope, { target: "", ...line });
  if (!audited.ok) return audited;
  const { context, workspace } = scope;
  const changed = await orUndefined(context.bindings.FLEETS.changeAlertTimes(workspace.id, what));
  if (changed === undefined) return notReached("alerts");
  return changed ? { ok: true, done } : notPossible;
}

async function setQuietHours(scope: AlertScope): Promise<Outcome> {
  const channel = await channelIn(scope);
  if ("ok" in channel) return channel;
  const quiet = quietHoursIn(scope.form);
  if (quiet === undefined) return refused(400, "Choose when the quiet hours begin and end.");
  const audited = await auditAlertChange(scope, {
    action: "channel.quiet-set",
    ...targetOf(channel),
    ...(channel.quiet ? { before: { quiet: hoursWords(channel.quiet) } } : {}),
    after: { quiet: quiet ? hoursWords(quiet) : "" },
  });
  if (!audited.ok) return audited;
  const { context, workspace } = scope;
  const set = await orUndefined(
    context.bindings.FLEETS.setQuietHours(workspace.id, channel.id, quiet),
  );
  if (set === undefined) return notReached("alerts");
  return set ? { ok: true, done: "quiet" } : goneChannel;
}

/** Null: none are wanted. Undefined for what is no such hours. */
function quietHoursIn(form: URLSearchParams): Hours | null | undefined {
  if (!form.get("from") && !form.get("until")) return null;
  const [from, until] = [numberIn(form, "from", 23), numberIn(form, "until", 23)];
  if (from === undefined || until === undefined || from === until) return;
  return { from, until };
}
