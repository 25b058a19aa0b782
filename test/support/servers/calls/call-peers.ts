import fc from "fast-check";
import { pairKinds } from "../../../../app/features/deployments/test-room/candidate-pair.ts";
import {
  type Evidence,
  evidenceFailures,
} from "../../../../app/features/servers/room-sessions/evidence.ts";
import {
  type EvidencePeers,
  nobody,
} from "../../../../app/features/servers/room-sessions/evidence-peers.ts";
import { began } from "./call-facts.ts";

const app: Evidence = {
  ...{ session: "RM_room12", participant: "PA_1", identity: "ada", roomName: "room" },
  ...{ firstAt: began, at: began, state: "connected", network: "0f0f0f0f0f0f", way: "udp" },
};
const peers = (more: Partial<EvidencePeers>) => ({ ...nobody, ...more });
export const well = peers({ through: 3, udp: 3 });
/** What their app said, and how others in their network and elsewhere fared. */
export const said = (
  more: Partial<Evidence>,
  there: Partial<EvidencePeers> = {},
  elsewhere: Partial<EvidencePeers> = well,
) => ({
  evidence: { said: { ...app, ...more }, there: peers(there), elsewhere: peers(elsewhere) },
});
export const noMedia = { state: "failed", failure: "media", direct: "silent" } as const;

/** All but what is certain: a token out of its time, a device that the browser refused, the same identity again. */
const uncertain = evidenceFailures.filter(
  (each) => each !== "camera" && each !== "microphone" && each !== "duplicate",
);
const tally = fc.record({
  identities: fc.subarray(["id1", "id2", "id3"]),
  ...Object.fromEntries(
    ["through", "failed", "poor", "lossySenders", "udp", "blocked", "relayed"].map((name) => [
      name,
      fc.nat(3),
    ]),
  ),
}) as unknown as fc.Arbitrary<EvidencePeers>;
export const anyEvidence = fc.record({
  said: fc.record({
    ...Object.fromEntries(Object.entries(app).map(([name, value]) => [name, fc.constant(value)])),
    state: fc.constantFrom("connected", "ended", "failed"),
    way: fc.constantFrom(...pairKinds),
    direct: fc.constantFrom(undefined, "open", "silent"),
    failure: fc.constantFrom(undefined, ...uncertain),
    lossPermille: fc.nat(1_000),
    roundTripMs: fc.nat(2_000),
    jitterMs: fc.nat(300),
  }) as unknown as fc.Arbitrary<Evidence>,
  there: tally,
  elsewhere: tally,
});
