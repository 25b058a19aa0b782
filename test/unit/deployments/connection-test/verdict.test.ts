import { describe, expect, test } from "vitest";
import { type Outside, outsides } from "~/features/deployments/connection-test/failure-advice.ts";
import type { TestResult, WayOutcome } from "~/features/deployments/connection-test/result.ts";
import { verdictOf } from "~/features/deployments/connection-test/verdict.ts";
import { outcomeWords } from "~/features/deployments/connection-test/way-words.ts";
import { wayFailures } from "~/features/deployments/connection-test/ways.ts";
import { type PairKind, pairKinds } from "~/features/deployments/test-room/candidate-pair.ts";

const domain = "media.example.com";
const place = {
  domain,
  mediaPorts: "7881/tcp, 3478/udp, 50000-60000/udp",
  hasTurnByTls: true,
};

const by = (kind: PairKind): WayOutcome => ({
  state: "connected",
  by: kind,
  port: 443,
  connectMs: 300,
});
const failed = (failure: (typeof wayFailures)[number]): WayOutcome => ({
  state: "failed",
  failure,
  afterMs: 15_000,
});
const skipped: WayOutcome = { state: "skipped" };

const resultOf = (
  usual: WayOutcome,
  tcp: WayOutcome = skipped,
  relay: WayOutcome = skipped,
): TestResult => ({
  browser: { family: "chrome", version: 141 },
  usual,
  tcp,
  relay,
});

/** All that a person may read of a test. */
function textOf(result: TestResult, outside?: Outside, more: Partial<typeof place> = {}): string {
  const verdict = verdictOf(result, { ...place, ...more, outside });
  return [
    verdict.grade,
    verdict.confidence,
    verdict.title,
    ...verdict.tester,
    ...verdict.owner,
  ].join("\n");
}

describe("what a network lets through is named by its one sentence", () => {
  test.each<[string, TestResult, RegExp[]]>([
    [
      "everything is open",
      resultOf(by("udp"), by("tcp"), by("relay-udp")),
      [/^good\ncertain\n.*straight to the server, over UDP/, /Nothing needs to be done/],
    ],
    [
      "UDP is blocked, as LiveKit and Chromium behave then",
      resultOf(by("relay-tls"), by("tcp"), by("relay-tls")),
      [/^limited\ncertain\n.*relayed by the server's TURN over TCP/, /50000-60000\/udp/],
    ],
    [
      "UDP is blocked and TURN is off",
      resultOf(by("tcp"), by("tcp"), failed("no-media")),
      [/^limited\nlikely\n.*over TCP: UDP does not get through/, /TURN gave no way/],
    ],
    [
      "only port 443 is open",
      resultOf(by("relay-tls"), failed("not-forced"), by("relay-tls")),
      [/^limited\nlikely\n.*little more than port 443: they are relayed/],
    ],
    [
      "only port 443 is open, and the server's answer to forced TCP was TURN again",
      resultOf(by("relay-tls"), by("relay-tls"), by("relay-tls")),
      [/^limited\nlikely\n.*little more than port 443/],
    ],
    [
      "only port 443 is open and TURN is off",
      resultOf(failed("no-media")),
      [/^failed\nlikely\n.*get through on no way/, /TURN on port 443 has to help/],
    ],
    [
      "TURN is off where everything else is open",
      resultOf(by("udp"), by("tcp"), failed("no-media")),
      [/^good\n/, /TURN gave no way.*only port 443 get no call.*A record/],
    ],
    [
      "port 7881 is closed",
      resultOf(by("udp"), by("relay-tls"), by("relay-udp")),
      [/^good\n/, /TCP on port 7881 gave no way/],
    ],
    [
      "media ports are closed and TURN by UDP helps",
      resultOf(by("relay-udp"), by("relay-udp"), by("relay-udp")),
      [/^good\n.*\n.*relayed by the server's TURN, over UDP/, /open the media ports/],
    ],
  ])("%s", (_, result, sentences) => {
    for (const sentence of sentences) expect(textOf(result)).toMatch(sentence);
  });

  test("where TURN is not offered on port 443 the advice is to turn that on", () => {
    const text = textOf(resultOf(failed("no-media")), undefined, { hasTurnByTls: false });
    expect(text).toMatch(/Turn on TURN by TLS in its options/);
    const open = resultOf(by("udp"), by("tcp"), failed("no-media"));
    expect(textOf(open, undefined, { hasTurnByTls: false })).toMatch(/Turn on TURN by TLS/);
  });
});

describe("who gets in on no way reads why", () => {
  test.each<[(typeof wayFailures)[number], RegExp]>([
    ["offline", /^failed\ncertain\nThis computer is not connected/],
    [
      "unknown-key",
      /^failed\ncertain\n.*does not know the API key[\s\S]*livekit-deploy credentials/,
    ],
    ["wrong-secret", /^failed\ncertain\n.*wrong API secret[\s\S]*Ask for a new link/],
    ["token-time", /^failed\ncertain\n.*too old or too new[\s\S]*timedatectl/],
    ["token-grant", /^failed\ncertain\n.*lets nobody join[\s\S]*livekit-deploy test-token/],
    ["no-room", /^failed\ncertain\n.*makes no room/],
    ["duplicate", /^failed\ncertain\nSomebody else ran this test/],
    ["not-forced", /^failed\nunknown\nThe connection was lost/],
    ["no-media", /^failed\nlikely\nLiveKit answers here/],
    ["not-livekit", /^failed\nlikely\nWhat answers at media.example.com is not a LiveKit server/],
    ["unreachable", /^failed\nunknown\nThis browser cannot reach media.example.com/],
  ])("%s", (failure, sentence) => {
    expect(textOf(resultOf(failed(failure)))).toMatch(sentence);
  });

  test.each<[Outside, RegExp]>([
    ["livekit", /likely\nThis network does not let anybody reach media.example.com[\s\S]*443\/tcp/],
    ["starting", /certain\nThe server is just starting/],
    ["certificate", /certain\nThe server has no certificate[\s\S]*port 80/],
    ["nothing", /certain\nNothing answers at media.example.com, from here or from our site/],
    ["other", /certain\n.*leads to something that is not LiveKit/],
    ["elsewhere", /certain\n.*another address than the server's[\s\S]*turn off a proxy/],
    ["no-address", /certain\n.*leads to no address[\s\S]*Set its A record/],
    ["private", /certain\n.*not on the internet/],
    ["unknown", /unknown\nThis browser cannot reach media.example.com/],
  ])("an unreachable server of which our site sees %j", (outside, sentence) => {
    expect(textOf(resultOf(failed("unreachable")), outside)).toMatch(sentence);
  });

  test("a proxy that opens TLS is blamed where our site gets LiveKit's answer", () => {
    expect(textOf(resultOf(failed("not-livekit")), "livekit")).toMatch(
      /likely\nSomething in this network answers in place of media.example.com/,
    );
  });
});

test("a relay is never called UDP unless it is relayed over UDP, and then it is called relayed", () => {
  const relays = pairKinds.filter((kind) => kind.startsWith("relay"));
  expect(relays).toHaveLength(4);
  for (const kind of relays) {
    expect(outcomeWords(by(kind))).toMatch(/^Relayed/);
    const { title } = verdictOf(resultOf(by(kind), by("tcp"), by(kind)), place);
    expect(title).toMatch(/relayed by the server's TURN/);
    for (const words of [outcomeWords(by(kind)), title]) {
      expect(/UDP/.test(words), `${kind}: ${words}`).toBe(kind === "relay-udp");
    }
  }
});

test("no advice of any failure is empty, and none is for the server's owner alone without a word for the tester", () => {
  for (const failure of wayFailures) {
    for (const outside of outsides) {
      const { title, tester } = verdictOf(resultOf(failed(failure)), { ...place, outside });
      expect([title, ...tester].every((line) => line.length > 10)).toBe(true);
      expect(tester.length).toBeGreaterThan(0);
    }
  }
});
