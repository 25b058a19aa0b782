import { expect, test, vi } from "vitest";
import { type SpeakerState, startSpeaker } from "~/features/deployments/call/speaker.client.ts";

/** A microphone, and whether it is on. */
type Microphone = { isOn: boolean; stop(): void };

const devices = vi.hoisted(() => ({
  requested: [] as PromiseWithResolvers<{ isOn: boolean; stop(): void }>[],
  published: [] as unknown[],
}));

/** The parts of the library that a call uses; everybody may join, and the microphone waits for the person's answer. */
vi.mock("livekit-client", async (load) => ({
  ...(await load<typeof import("livekit-client")>()),
  Room: class {
    localParticipant = {
      publishTrack: async (track: unknown) => devices.published.push(track),
      unpublishTrack: async (track: unknown) => {
        devices.published = devices.published.filter((each) => each !== track);
      },
    };
    once = () => this;
    on = () => this;
    connect = async () => {};
    disconnect = async () => {};
  },
  createLocalAudioTrack: () => {
    const answer = Promise.withResolvers<Microphone>();
    devices.requested.push(answer);
    return answer.promise;
  },
  createAudioAnalyser: () => ({ calculateVolume: () => 0, cleanup: async () => {} }),
}));

function microphone(): Microphone {
  return {
    isOn: true,
    stop() {
      this.isOn = false;
    },
  };
}

/** A call that has joined, and waits for the microphone. */
async function joinedCall() {
  devices.requested = [];
  devices.published = [];
  const states: SpeakerState[] = [];
  const credentials = { key: "APIabcdefghijkl", secret: "s".repeat(44) };
  const server = { domain: "media.example.com", mediaPorts: "7882/udp", hasTurnByTls: true };
  const call = startSpeaker({ id: "one", credentials, ...server }, (state) => states.push(state));
  await expect.poll(() => devices.requested.length).toBe(1);
  return { call, states };
}

test("who leaves a test call while the browser asks for the microphone leaves it switched off", async () => {
  const { call, states } = await joinedCall();
  await call.leave();
  const late = microphone();
  devices.requested[0]?.resolve(late);
  await expect.poll(() => late.isOn).toBe(false);
  expect(devices.published).toEqual([]);
  expect(states.at(-1)).toEqual({ step: "left" });
});

test("two presses before the microphone has started send one sound", async () => {
  const { call, states } = await joinedCall();
  expect(states.at(-1)).toMatchObject({ step: "joined", isSwitching: true });
  await call.speak("microphone");
  expect(devices.requested).toHaveLength(1);
  devices.requested[0]?.resolve(microphone());
  await expect.poll(() => states.at(-1)).toEqual({ step: "joined", sound: "microphone" });

  const again = [call.speak("microphone"), call.speak("microphone")];
  await expect.poll(() => devices.requested.length).toBe(2);
  devices.requested[1]?.resolve(microphone());
  await Promise.all(again);
  expect(devices.published).toHaveLength(1);
  expect(devices.requested).toHaveLength(2);
  await call.leave();
});
