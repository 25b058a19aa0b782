import { type RemoteTrack, Room, RoomEvent, Track } from "livekit-client";
import { joinRoom } from "../test-room/join-room.client";
import type { TestedServer } from "../test-room/tested-server";
import { openCallChannel } from "./call-channel.client";
import { type CallFailure, callFailure } from "./call-failure";
import { type MediaPath, pathOf } from "./media-path";

export type ListenerState =
  /** No other tab has answered yet, or its call has ended. */
  | { step: "waiting" | "connecting" }
  | { step: "failed"; failure: CallFailure }
  | {
      step: "joined";
      /** Whether sound has come from the server. */
      hears?: boolean;
      /** Whether the browser plays it only after a press. */
      isSilenced?: boolean;
      path?: MediaPath;
    };

export type ListenerCall = { play(): Promise<void>; leave(): Promise<void> };

const checkEveryMs = 1_000;

/** Joins the call that another tab of this browser has started, and plays what comes from the server. */
export function startListener(
  { id, ...server }: TestedServer & { id: string },
  notify: (state: ListenerState) => void,
): ListenerCall {
  const listenerId = crypto.randomUUID();
  let room: Room | undefined;
  let heard: RemoteTrack | undefined;
  let state: ListenerState = { step: "waiting" };

  const show = (next: ListenerState) => {
    state = next;
    notify(next);
  };
  const add = (more: Omit<Extract<ListenerState, { step: "joined" }>, "step">) => {
    if (state.step === "joined") show({ ...state, ...more });
  };
  const channel = openCallChannel(id, (message) => {
    if (message.kind === "started") channel.post({ kind: "asks", from: listenerId });
    if (message.kind === "ended") void end();
    if (message.kind === "token" && message.to === listenerId && !room) void join(message.token);
  });
  const looking = setInterval(check, checkEveryMs);

  async function join(token: string): Promise<void> {
    const joining = new Room();
    room = joining;
    joining
      .on(RoomEvent.TrackSubscribed, (track) => {
        if (track.kind !== Track.Kind.Audio) return;
        heard = track;
        track.attach();
      })
      .on(RoomEvent.TrackUnsubscribed, (track) => {
        track.detach();
        heard = undefined;
      })
      .on(RoomEvent.AudioPlaybackStatusChanged, () =>
        add({ isSilenced: !joining.canPlaybackAudio }),
      );
    show({ step: "connecting" });
    const failure = await joinRoom(joining, server.domain, token);
    if (room !== joining) return;
    if (failure) {
      room = undefined;
      return show({ step: "failed", failure: callFailure(failure, server) });
    }
    show({ step: "joined", isSilenced: !joining.canPlaybackAudio });
  }

  async function check(): Promise<void> {
    const report = await heard?.getRTCStatsReport();
    if (!heard || !report) return;
    const [inbound] = [...report.values()].filter(({ type }) => type === "inbound-rtp");
    if (!(inbound?.packetsReceived > 0)) return;
    const path = await pathOf(heard);
    add({ hears: true, ...(path ? { path } : {}) });
    channel.post({ kind: "hears" });
  }

  async function end(): Promise<void> {
    const ended = room;
    room = undefined;
    heard = undefined;
    if (state.step !== "waiting") show({ step: "waiting" });
    await ended?.disconnect();
  }

  notify(state);
  channel.post({ kind: "asks", from: listenerId });
  return {
    play: async () => room?.startAudio(),
    async leave() {
      clearInterval(looking);
      channel.close();
      await end();
    },
  };
}
