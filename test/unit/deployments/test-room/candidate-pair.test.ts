import { expect, test } from "vitest";
import { nominatedPair } from "~/features/deployments/test-room/candidate-pair.ts";

const kindWith = (local: object) =>
  nominatedPair([
    { id: "T", type: "transport", selectedCandidatePairId: "P" },
    { id: "P", type: "candidate-pair", localCandidateId: "L", remoteCandidateId: "R" },
    { id: "Q", type: "candidate-pair", localCandidateId: "R", remoteCandidateId: "L" },
    { id: "L", type: "local-candidate", ...local },
    { id: "R", type: "remote-candidate", protocol: "udp", port: 50_001 },
  ])?.kind;

test.each([
  [{ candidateType: "host", protocol: "udp" }, "udp"],
  [{ candidateType: "prflx", protocol: "udp" }, "udp"],
  [{ candidateType: "prflx", protocol: "tcp" }, "tcp"],
  // A relayed candidate's own protocol is that between the relay and the server: always UDP.
  [{ candidateType: "relay", protocol: "udp", relayProtocol: "tls" }, "relay-tls"],
  [{ candidateType: "relay", protocol: "udp", relayProtocol: "tcp" }, "relay-tcp"],
  [{ candidateType: "relay", protocol: "udp", relayProtocol: "udp" }, "relay-udp"],
  [
    { candidateType: "relay", protocol: "udp", url: "turns:turn.example.com:443?transport=tcp" },
    "relay-tls",
  ],
  [
    { candidateType: "relay", protocol: "udp", url: "turn:turn.example.com:443?transport=tcp" },
    "relay-tcp",
  ],
  [
    { candidateType: "relay", protocol: "udp", url: "turn:turn.example.com:3478?transport=udp" },
    "relay-udp",
  ],
  [{ candidateType: "relay", protocol: "udp" }, "relay"],
])("the nominated pair with the local candidate %j is %j", (local, kind) => {
  expect(kindWith(local)).toBe(kind);
});
