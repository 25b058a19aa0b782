import { clockOf } from "~/ui/time-zones";
import type { Confidence } from "../explanation/facts";
import { badOf } from "../room-sessions/evidence-hours";
import { type HourPattern, type LocalHour, type Stretch, sumOf } from "./hour-pattern";

/** Whose calls they are: of one person or network, or of everybody on the server. */
export type Whose = "theirs" | "all";

type Bad = Extract<HourPattern, { kind: "stretch" }>;

/** Fewer calls of others say nothing of the server. */
const minOthers = 5;

/** What a stretch of hours with bad calls means. `cause`: the sentence after the one that says which hours. */
export type HourAdvice = {
  title: string;
  figures: string;
  cause: string;
  confidence: Confidence;
  steps: readonly string[];
};

export function hourAdvice(pattern: Bad, whose: Whose, minutes: number): HourAdvice {
  const { stretch, inside, outside } = pattern;
  return {
    title: `Between ${stretchWords(stretch, minutes)} ${amountOf(inside)} of ${whose === "all" ? "the" : "their"} calls ${faultWords(inside)}; at other hours ${restWords(outside)}.`,
    figures: `${figuresOf(inside)} At other hours: ${figuresOf(outside)}`,
    ...(whose === "all" ? causeForAll(inside) : causeForSome(inside)),
  };
}

/** "19:00 and 22:00"; in India hours of UTC begin at half past. */
function stretchWords({ from, length }: Stretch, minutes: number): string {
  return [from, (from + length) % 24].map((hour) => hourWords(hour, minutes)).join(" and ");
}

export const hourWords = (hour: number, minutes: number): string =>
  `${clockOf(hour).slice(0, 3)}${String(minutes).padStart(2, "0")}`;

const callsOf = (hours: readonly LocalHour[]) => sumOf(hours, ({ calls }) => calls);
const shareOf = (hours: readonly LocalHour[]) => sumOf(hours, badOf) / callsOf(hours);

const amountOf = (hours: readonly LocalHour[]) => (shareOf(hours) > 1 / 2 ? "most" : "many");

const restWords = (hours: readonly LocalHour[]) =>
  shareOf(hours) < 1 / 20 ? "they do not" : "fewer do";

/** What most of the bad ones were. */
function faultWords(hours: readonly LocalHour[]): string {
  const half = sumOf(hours, badOf) / 2;
  if (sumOf(hours, ({ lossy }) => lossy) > half) return "lose packets";
  if (sumOf(hours, ({ slow }) => slow) > half) return "take long there and back";
  if (sumOf(hours, ({ broken }) => broken) > half) return "fail or break off";
  return "go badly";
}

/** "14 of 18 calls bad, loss 8.2 %, 210 ms there and back." */
function figuresOf(hours: readonly LocalHour[]): string {
  const calls = callsOf(hours);
  const loss = meanOf(hours, "lossPermille");
  const trip = meanOf(hours, "roundTripMs");
  return `${[
    `${sumOf(hours, badOf)} of ${calls} calls bad`,
    ...(loss === undefined ? [] : [`loss ${lossOf(loss)}`]),
    ...(trip === undefined ? [] : [`${Math.round(trip)} ms there and back`]),
  ].join(", ")}.`;
}

/** Of one call in the mean, from 0 to 1,000. */
export const lossOf = (permille: number): string => `${Number((permille / 10).toFixed(1))} %`;

export function meanOf(
  hours: readonly LocalHour[],
  figure: "lossPermille" | "roundTripMs",
): number | undefined {
  const count = sumOf(hours, (hour) => hour[figure].count);
  return count === 0 ? undefined : sumOf(hours, (hour) => hour[figure].sum) / count;
}

/** Whether the server had too much to do in half of the hours with bad calls of which that is known. */
function wasBusy(hours: readonly LocalHour[]): boolean | undefined {
  const known = hours.flatMap(({ isBusy }) => (isBusy === undefined ? [] : [isBusy]));
  return known.length === 0 ? undefined : known.filter(Boolean).length * 2 >= known.length;
}

type Cause = Pick<HourAdvice, "cause" | "confidence" | "steps">;

const busy: Cause = {
  cause: "The server had too much to do at these hours.",
  confidence: "likely",
  steps: [
    "Compare with the server's figures over 7 days: its processors or its memory are full at these hours.",
    "Take a larger machine, or spread the rooms over several servers.",
  ],
};

const networkOfServer =
  "Ask the provider of the machine whether its network is full at these hours.";

function causeForSome(inside: readonly LocalHour[]): Cause {
  const isBusy = wasBusy(inside);
  if (isBusy) return busy;
  const others = sumOf(inside, (hour) => hour.others?.calls ?? 0);
  const badOthers = sumOf(inside, (hour) => hour.others?.bad ?? 0);
  const saysOthers = others >= minOthers;
  if (saysOthers && badOthers * 4 >= others) {
    return {
      cause: `Others, in other networks, had bad calls in the same hours too (${badOthers} of ${others}), so it is the server's network rather than theirs.`,
      confidence: "likely",
      steps: [networkOfServer],
    };
  }
  const rests = [
    ...(saysOthers ? [`others, in other networks, were well in the same hours`] : []),
    ...(isBusy === false ? ["the server was not busy"] : []),
  ];
  if (rests.length === 0) {
    return {
      cause: "Whether their network or the server is full at these hours cannot be known yet.",
      confidence: "unknown",
      steps: [
        "Look at the server's figures over 7 days: are its processors full at these hours?",
        "Have them open a link to the connection test at such an hour, and at another.",
      ],
    };
  }
  return {
    cause: `Their network is full at these hours: ${rests.join(", and ")}.`,
    confidence: "likely",
    steps: [
      "They try a cable instead of Wi-Fi at such an hour, and end downloads and films of others at home.",
      "If that changes nothing, their provider's network is full: they ask it, or try their phone's.",
      "Have them open a link to the connection test at such an hour, and at another.",
    ],
  };
}

function causeForAll(inside: readonly LocalHour[]): Cause {
  if (wasBusy(inside)) return busy;
  const places =
    "Look at the networks below: one with most of the bad calls is full itself, and not the server.";
  return {
    cause:
      wasBusy(inside) === false
        ? "The server was not busy: its network, or one from which many call, is full at these hours."
        : "Whether the server or a network is full at these hours cannot be known yet.",
    confidence: "unknown",
    steps: [
      ...(wasBusy(inside) === false
        ? []
        : ["Look at the server's figures over 7 days: are its processors full at these hours?"]),
      places,
      networkOfServer,
    ],
  };
}
