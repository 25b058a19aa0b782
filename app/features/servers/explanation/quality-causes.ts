import {
  type CallFacts,
  type CallFigures,
  type Explanation,
  endOf,
  isProgram,
  minuteMs,
} from "./facts";

// A call that was there and may have been bad. Of one call nobody reports how it was, so nothing here is certain.

const lossLimit = 3;
const processorLimit = 85;
const memoryLimit = 95;

/** Whether a server had so much to do that every call on it was bad; undefined where that was not reported. */
export function isTooBusy({ processor, memory }: CallFigures): boolean | undefined {
  if (processor === undefined && memory === undefined) return;
  return (processor ?? 0) >= processorLimit || (memory ?? 0) >= memoryLimit;
}

/** What the whole server had too much of. */
export function overload({ figures = {}, participant }: CallFacts): Explanation[] {
  if (participant.isAborted) return [];
  const { processor = 0, memory = 0, recordings = 0 } = figures;
  const found: Explanation[] = [];
  if (processor >= processorLimit) {
    found.push({
      ...{ code: "quality.processor", confidence: "likely" },
      title: "The server had too much to do, so calls on it were choppy.",
      because: [
        `Its processors were busy for ${Math.round(processor)} % of the time of this call.`,
        ...(recordings > 0
          ? [`Up to ${recordings} recordings ran beside it, each of which takes several cores.`]
          : []),
      ],
      next: [
        recordings > 0
          ? "Record on another machine, fewer rooms at once, or take a larger machine."
          : "Take a larger machine, or spread the rooms over several servers.",
      ],
    });
  }
  if (memory >= memoryLimit) {
    found.push({
      ...{ code: "quality.memory", confidence: "likely" },
      title: "The server was short of memory, so calls on it may have stalled.",
      because: [`${Math.round(memory)} % of its memory were in use during this call.`],
      next: ["On the server: `sudo docker stats --no-stream` shows which service holds it."],
    });
  }
  return found;
}

/** What the calls of the whole server lost, where nobody says it of this one. */
export function lossOfAll({ figures = {}, participant }: CallFacts): Explanation[] {
  const { loss = 0 } = figures;
  if (participant.isAborted || loss < lossLimit) return [];
  return [
    {
      ...{ code: "quality.loss", confidence: "likely" },
      title: "Many packets were lost on this server, so sound and picture broke up.",
      because: [
        `LiveKit counted ${Math.round(loss)} % of all packets of the server as lost during this call. It does not say whose.`,
      ],
      next: [
        "If it is so each evening, the network of the machine or of many users is full: compare the hours in the server's figures, and ask its provider.",
      ],
    },
  ];
}

/** Nobody saw or heard this person, although others sent. */
export function sentNothing(facts: CallFacts): Explanation[] {
  const { participant, others } = facts;
  const { joinedAt, tracks, kind, isAborted } = participant;
  const end = endOf(facts);
  if (isAborted || isProgram(kind) || end - joinedAt < 2 * minuteMs) return [];
  const beside = others.filter(
    (each) => !isProgram(each.kind) && each.joinedAt < end && (each.leftAt ?? facts.now) > joinedAt,
  );
  const sends = (source: string) => (each: { tracks: readonly { source: string }[] }) =>
    each.tracks.some((track) => track.source === source);
  // Who listens to a few is no exception: most of the others must send it.
  const missing = (["MICROPHONE", "CAMERA"] as const).filter(
    (source) =>
      !sends(source)(participant) && beside.filter(sends(source)).length * 2 > beside.length,
  );
  if (missing.length === 0) return [];
  const none = tracks.length === 0;
  const what = none
    ? "nothing"
    : missing[0] === "CAMERA"
      ? "no picture of a camera"
      : "no sound of a microphone";
  return [
    {
      ...{ code: none ? "sent.nothing" : `sent.no-${missing[0]?.toLowerCase()}` },
      confidence: "unknown",
      title: `They sent ${what}. Whether they wanted to cannot be known.`,
      because: ["Most of the others in the room did, and this participant never published any."],
      next: [
        "In their browser: the sign beside the address says whether camera and microphone are allowed for your page. In their system, whether the browser may use them.",
        "In your back end: whether their token has `canPublish`.",
      ],
    },
  ];
}
