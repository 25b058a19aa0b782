import { beforeAll, expect, test } from "vitest";
import { excerptOf, markWords } from "../../../app/ui/reading/search/excerpt.ts";
import { searchOver } from "../../../app/ui/reading/search/search-sections.ts";
import { stemOf } from "../../../app/ui/reading/search/search-words.ts";
import { searchSections } from "../../../scripts/vite/markdown/published.ts";

// As people ask in the issues of LiveKit's server, of its client libraries, and of Egress, Ingress and SIP.
const questions: [question: string, page: string][] = [
  ["why do clients connect but see no video behind the office firewall", "/docs/troubleshooting"],
  ["could not establish pc connection", "/docs/troubleshooting"],
  ["calls work on wifi at home but not on the company network", "/docs/troubleshooting"],
  ["no sound after joining, participants cannot hear each other", "/docs/troubleshooting"],
  ["invalid token 401 unauthorized", "/docs/troubleshooting"],
  ["server says address already in use on port 443", "/docs/troubleshooting"],
  ["turn server behind nginx on port 443 with sni", "/blog/turn-tls-on-port-443"],
  ["do I need external_tls and which turn domain", "/docs/guide"],
  ["which ports do I have to open in my security group", "/docs/firewalls"],
  ["is it safe to expose 7880 to the internet", "/docs/firewalls"],
  ["how do I generate an access token in python", "/docs/tokens"],
  ["canPublish and canSubscribe grants", "/docs/tokens"],
  ["token expired when reconnecting, how long should the ttl be", "/docs/tokens"],
  ["rotate the api key and secret without downtime", "/docs/tokens"],
  ["verify webhook signature in express", "/docs/webhooks"],
  ["room_finished webhook never arrives", "/docs/webhooks"],
  ["agent worker does not join the room", "/docs/agents"],
  ["explicit dispatch with agent name", "/docs/agents"],
  ["how many voice agents can run on one machine", "/docs/agents"],
  ["connect twilio sip trunk and dispatch rule", "/docs/sip"],
  ["inbound call rings but nobody answers", "/docs/sip"],
  ["one way audio on phone calls", "/docs/sip"],
  ["react app livekit-client join room example", "/docs/connect-web"],
  ["swift ios microphone permission and audio session", "/docs/connect-ios"],
  ["kotlin android camera permission", "/docs/connect-android"],
  ["flutter livekit_client example", "/docs/connect-flutter"],
  ["unity webgl publish webcam", "/docs/connect-unity"],
  ["what happens when a phone switches from wifi to mobile data, reconnect", "/docs/connect"],
  ["record a room to s3 as mp4", "/docs/recording"],
  ["egress stuck at starting, no workers available", "/docs/troubleshooting"],
  ["stream from obs with whip or rtmp stream key", "/docs/ingest"],
  ["how many participants can one server handle with 8 cores", "/docs/sizing"],
  ["how much does bandwidth cost per month on aws", "/docs/sizing"],
  ["rate limit 429 too many requests", "/docs/limits"],
  ["migrate from livekit cloud to self hosted", "/docs/livekit-cloud"],
  ["update livekit without dropping calls, graceful drain", "/blog/upgrades-and-draining"],
  ["who can see the media, is it encrypted, gdpr", "/docs/security"],
  ["deploy on hetzner with cloud-init step by step", "/docs/getting-started"],
  ["which version of livekit is in the bundle", "/docs/changelog"],
  ["openai realtime token usage report api for agents", "/docs/api"],
  ["connect my server to the console with an enrolment token", "/docs/servers"],
  ["verify the signature of the webhook incident.opened", "/docs/alerts"],
];

// Written without a look at the pages or at what search finds. They are no reason to change either.
const furtherQuestions: [question: string, page: string][] = [
  ["the sound is choppy as soon as twenty people talk", "/docs/troubleshooting"],
  ["guests get dropped from the meeting for a few seconds and come back", "/docs/troubleshooting"],
  ["letsencrypt certificate was not issued for my domain", "/docs/troubleshooting"],
  ["my vm ran out of disk space", "/docs/troubleshooting"],
  ["the meeting is over but the file is missing", "/docs/troubleshooting"],
  ["save only the audio of a meeting to a file", "/docs/recording"],
  ["upload finished files to my own cloud account", "/docs/recording"],
  ["who may publish and who may only watch", "/docs/tokens"],
  ["which grant lets a moderator mute or remove others", "/docs/tokens"],
  ["start an assistant automatically for each new room", "/docs/agents"],
  ["bring the feed of a professional camera into a meeting", "/docs/ingest"],
  ["how big a machine for a webinar with 500 viewers", "/docs/sizing"],
  ["what to do after a key leaked", "/docs/security"],
  ["tell my backend when somebody leaves", "/docs/webhooks"],
];

const sections = searchSections();
let search: Awaited<ReturnType<typeof searchOver>>;
beforeAll(async () => {
  search = await searchOver(sections);
});

/** The pages that are found, the first one first. */
const pagesFor = (question: string) => [
  ...new Set(search(question).map(({ section }) => section.to.split("#")[0])),
];
const firstPage = (question: string) => pagesFor(question)[0];

test("search finds the right page first for 42 questions", () => {
  expect(questions).toHaveLength(42);
  expect(questions.map(([question]) => [question, firstPage(question)])).toEqual(questions);
});

test("questions in words that no page was given find half of their pages first, and two of three among the first three", () => {
  const stems = (text: string) => text.split(/[\s-]+/).map(stemOf);
  const given = furtherQuestions.filter(([question, page]) => {
    const keywords = sections.find(({ to }) => to === page)?.keywords ?? "";
    return stems(question).some((stem) => stem && stems(keywords).includes(stem));
  });
  expect(given).toEqual([]);
  const found = (among: number) =>
    furtherQuestions.filter(([question, page]) => pagesFor(question).slice(0, among).includes(page))
      .length / furtherQuestions.length;
  expect(found(1)).toBeGreaterThanOrEqual(1 / 2);
  expect(found(3)).toBeGreaterThanOrEqual(2 / 3);
});

test("search has every section once, as its reader sees it", () => {
  const addresses = sections.map(({ to }) => to);
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(addresses).toEqual(expect.arrayContaining(["/docs", "/docs/api#report-usage"]));
  const textAt = (address: string) => sections.find(({ to }) => to === address)?.text ?? "";
  expect(textAt("/docs/guide#firewall")).toContain(
    "on the machine alike: Ports to open Port Purpose Needed 443/tcp Primary HTTPS and TURN/TLS always",
  );
  expect(textAt("/docs/guide#docker-compose")).toMatch(
    /one service\) services: livekit: image: \S+ /,
  );
  expect(textAt("/docs/guide#docker-compose")).not.toContain("Copy");
});

test.each([
  ["recordings", "recording", "recorded", "records"],
  ["Certificates", "certificate"],
  ["policies", "policy"],
  ["dropped", "dropping", "drops", "drop"],
  ["connecting", "connects", "connected", "connection"],
  ["boxes", "box"],
])("%s is looked up as its other forms are", (...forms) => {
  expect(new Set(forms.map(stemOf)).size).toBe(1);
});

test("words that say nothing are not looked up", () => {
  expect(["Why", "doesn't", "the", "with"].map(stemOf)).toEqual(["", "", "", ""]);
  expect(search("how does it work with the")).toEqual([]);
});

test("a port is found as it is, and no other for it", () => {
  const found = search("7881");
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ section }) => !section.text.includes("7881"))).toEqual([]);
});

test("a slip of the finger and the beginning of a word still find", () => {
  const pages = (question: string) => search(question).map(({ section }) => section.to);
  expect(pages("certifcate")).toContain("/docs/guide#ssl-tls");
  expect(pages("firew")).toContain("/docs#firewall");
});

test("no page fills the results alone", () => {
  const counts = Map.groupBy(search("livekit server"), ({ section }) => section.page);
  expect(counts.size).toBeGreaterThan(3);
  expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBeLessThanOrEqual(3);
});

test("the words that match are marked, whatever their ending", () => {
  expect(markWords("Two firewalls, one list.", new Set(["firewall"]))).toEqual([
    { text: "Two ", isMatch: false },
    { text: "firewalls", isMatch: true },
    { text: ", one list.", isMatch: false },
  ]);
});

test("an excerpt is where most of the words are, and begins and ends between words", () => {
  const text = `The port alone. ${"Filler follows filler. ".repeat(20)}Open the port in the firewall. ${"More filler. ".repeat(20)}`;
  const excerpt = excerptOf(text, new Set(["port", "firewall"]));
  expect(excerpt).toContain("Open the port in the firewall.");
  expect(excerpt).toMatch(/^… \w/);
  expect(excerpt).toMatch(/[\w.] …$/);
  expect(excerpt.length).toBeLessThan(170);
  expect(excerptOf("Short.", new Set(["port"]))).toBe("Short.");
});
