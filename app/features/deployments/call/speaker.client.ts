import {
  createAudioAnalyser,
  createLocalAudioTrack,
  LocalAudioTrack,
  MediaDeviceFailure,
  Room,
  RoomEvent,
  Track,
} from "livekit-client";
import { accessToken, type Credentials } from "../test-room/access-token.client";
import { joinRoom } from "../test-room/join-room.client";
import { testRoomName } from "../test-room/room-name";
import type { TestedServer } from "../test-room/tested-server";
import { openCallChannel } from "./call-channel.client";
import { type CallFailure, callFailure, type DeviceProblem } from "./call-failure";
import { type MediaPath, pathOf } from "./media-path";

export type Sound = "microphone" | "tone";

export type SpeakerState =
  | { step: "connecting" }
  | { step: "failed"; failure: CallFailure }
  | { step: "interrupted" | "left" | "lost" }
  | {
      step: "joined";
      sound?: Sound;
      deviceProblem?: DeviceProblem;
      path?: MediaPath;
      /** Whether another tab has just received the sound. */
      isHeard?: boolean;
      /** Whether a sound is being started. Until it is, nobody can start another. */
      isSwitching?: boolean;
    };

export type SpeakerCall = {
  /** Sends this sound instead of another. Does nothing while one is being started. */
  speak(sound: Sound): Promise<void>;
  /** From 0 to 1. */
  level(): number;
  leave(): Promise<void>;
};

const checkEveryMs = 1_000;

/** Joins a room of its own with the credentials, sends the microphone, and lets other tabs of this browser listen. */
export function startSpeaker(
  { id, credentials, ...server }: TestedServer & { id: string; credentials: Credentials },
  notify: (state: SpeakerState) => void,
): SpeakerCall {
  const room = new Room();
  const name = testRoomName();
  let state: SpeakerState = { step: "connecting" };
  let published: { track: LocalAudioTrack; end(): Promise<void>; level(): number } | undefined;

  const show = (next: SpeakerState) => {
    state = next;
    notify(next);
  };
  const isOver = () => ["failed", "left", "lost"].includes(state.step);
  const add = (more: Omit<Extract<SpeakerState, { step: "joined" }>, "step">) => {
    if (state.step === "joined") show({ ...state, ...more });
  };
  const channel = openCallChannel(id, async (message) => {
    if (message.kind === "hears") add({ isHeard: true });
    if (message.kind !== "asks" || state.step !== "joined") return;
    const identity = `listener-${message.from}`;
    const grant = { canPublish: false, canSubscribe: true };
    const token = await accessToken(credentials, { identity, room: name, grant });
    channel.post({ kind: "token", to: message.from, token });
  });
  const looking = setInterval(async () => {
    if (!published) return;
    const path = await pathOf(published.track);
    if (path) add({ path });
  }, checkEveryMs);

  function close(): void {
    clearInterval(looking);
    channel.post({ kind: "ended" });
    channel.close();
    void published?.end();
  }

  async function run(): Promise<void> {
    const identity = "speaker";
    const grant = { canPublish: true, canSubscribe: true };
    const token = await accessToken(credentials, { identity, room: name, grant });
    const failure = await joinRoom(room, server.domain, token);
    if (isOver()) return;
    if (failure) {
      close();
      return show({ step: "failed", failure: callFailure(failure, server) });
    }
    room
      .on(RoomEvent.Reconnecting, () => notify({ step: "interrupted" }))
      .on(RoomEvent.Reconnected, () => notify(state))
      .on(RoomEvent.Disconnected, () => {
        if (isOver()) return;
        close();
        show({ step: "lost" });
      });
    show({ step: "joined" });
    channel.post({ kind: "started" });
    await speak("microphone");
  }

  async function speak(sound: Sound): Promise<void> {
    if (state.step !== "joined" || state.isSwitching) return;
    add({ isSwitching: true });
    try {
      if (published) {
        const { track, end } = published;
        published = undefined;
        await end();
        await room.localParticipant.unpublishTrack(track);
      }
      const tone = sound === "tone" ? startTone() : undefined;
      const track = tone ? new LocalAudioTrack(tone.track) : await createLocalAudioTrack();
      const { calculateVolume, cleanup } = createAudioAnalyser(track);
      const started = {
        track,
        level: calculateVolume,
        async end() {
          track.stop();
          await cleanup();
          await tone?.end();
        },
      };
      // Somebody may leave while the browser asks whether it may use the microphone.
      if (isOver()) return await started.end();
      published = started;
      await room.localParticipant.publishTrack(track, { source: Track.Source.Microphone });
      if (state.step === "joined") show({ step: "joined", sound });
    } catch (error) {
      if (state.step === "joined") show({ step: "joined", deviceProblem: problemOf(error) });
    }
  }

  notify(state);
  void run();
  return {
    speak,
    level: () => published?.level() ?? 0,
    async leave() {
      if (isOver()) return;
      show({ step: "left" });
      close();
      await room.disconnect();
    },
  };
}

function problemOf(error: unknown): DeviceProblem {
  switch (MediaDeviceFailure.getFailure(error)) {
    case MediaDeviceFailure.PermissionDenied:
      return "denied";
    case MediaDeviceFailure.NotFound:
      return "none";
    case MediaDeviceFailure.DeviceInUse:
      return "busy";
    default:
      return "other";
  }
}

const hertz = 440;
const secondsEach = 0.5;

/** A tone that comes and goes, as a track to send where there is no microphone. */
function startTone(): { track: MediaStreamTrack; end(): Promise<void> } {
  const context = new AudioContext();
  const volume = context.createGain();
  volume.gain.value = 0.3;
  const tone = context.createOscillator();
  tone.frequency.value = hertz;
  // A square wave turns the volume up and down.
  const beat = context.createOscillator();
  beat.type = "square";
  beat.frequency.value = 1 / (2 * secondsEach);
  const depth = context.createGain();
  depth.gain.value = 0.3;
  const target = context.createMediaStreamDestination();
  beat.connect(depth).connect(volume.gain);
  tone.connect(volume).connect(target);
  tone.start();
  beat.start();
  const [track] = target.stream.getAudioTracks();
  if (!track) throw new Error("The browser made a stream without a track");
  return { track, end: () => context.close() };
}
