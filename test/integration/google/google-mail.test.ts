import PostalMime from "postal-mime";
import { beforeEach, expect, test } from "vitest";
import type {
  ConversationList,
  FoundMerged,
  SentList,
} from "../../../app/features/google/mail/mail-results.ts";
import type { OperationResult } from "../../../app/features/google/tools/operation.ts";
import { callTool, connectGoogle, mailArrives } from "../../support/google/google-account.ts";
import { googleEmail } from "../../support/google/google-fake.ts";
import { googleRequestLog, steerGoogle } from "../../support/google/google-tools.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";

const gmail = "/gmail/v1/users/me";
const letter = { to: "Zoë <zoe@example.com>", subject: "Grüße", body: "Hello,\n<b>you</b>" };

beforeEach(resetFakes);

async function connected(): Promise<Visitor> {
  const visitor = new Visitor();
  await visitor.signInWithGoogle(googleEmail);
  await connectGoogle(visitor, { tool: "gmail", tab: "send" });
  return visitor;
}

async function requestsOf(work: () => Promise<unknown>) {
  await steerGoogle("requests/clear");
  await work();
  return googleRequestLog();
}

function resultOf<Result>(outcome: OperationResult): Result {
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.result as Result;
}

const rawIn = (body: unknown) =>
  Buffer.from(String((body as { raw: string }).raw), "base64url").toString();

test("sending posts one message as Gmail's reference has it, and leads to it", async () => {
  const visitor = await connected();
  let outcome: OperationResult | undefined;
  const requests = await requestsOf(async () => {
    ({ outcome } = await callTool(visitor, "gmail/send", letter));
  });
  expect(requests).toHaveLength(1);
  const [{ method, path, query, headers, body } = {}] = requests;
  expect([method, path, query]).toEqual(["POST", `${gmail}/messages/send`, {}]);
  expect(headers?.authorization).toMatch(/^Bearer google_/);
  expect(headers?.["content-type"]).toBe("application/json");
  expect(Object.keys(body as object)).toEqual(["raw"]);
  const message = await PostalMime.parse(rawIn(body));
  expect(message.to).toEqual([{ name: "Zoë", address: "zoe@example.com" }]);
  expect(message.subject).toBe("Grüße");
  expect(message.text?.replaceAll("\r\n", "\n").trim()).toBe("Hello,\n<b>you</b>");
  expect(message.html).toContain("<p>Hello,<br>\r\n&lt;b&gt;you&lt;/b&gt;</p>");
  expect(outcome).toMatchObject({
    ok: true,
    message: "Operation completed successfully!",
    link: {
      href: expect.stringMatching(
        /^https:\/\/mail\.google\.com\/mail\/\?authuser=customer\.one%40example\.com#sent\/msg_/,
      ),
    },
  });
});

testInProof("sent mail is listed newest first, 10 by default and 1 to 100", async () => {
  const visitor = await connected();
  for (let at = 1; at <= 12; at++) {
    await callTool(visitor, "gmail/send", { ...letter, subject: `Number ${at}` });
  }
  const list = async (maxResults: string) => {
    const { outcome } = await callTool(visitor, "gmail/list", { maxResults });
    return resultOf<SentList>(outcome).messages;
  };
  let all: SentList["messages"] = [];
  const requests = await requestsOf(async () => {
    all = await list("");
  });
  const [first, ...others] = requests.map(({ method, path }) => `${method} ${path}`);
  expect(first).toBe(`GET ${gmail}/messages`);
  // They are asked for together, and arrive in any order.
  expect(others.toSorted()).toEqual(all.map(({ id }) => `GET ${gmail}/messages/${id}`).toSorted());
  expect(requests[0]?.query).toEqual({ labelIds: "SENT", maxResults: "10" });
  expect(requests[1]?.query).toEqual({ format: "metadata", metadataHeaders: ["To", "Subject"] });
  expect(requests[1]?.body).toBeNull();
  expect(all).toHaveLength(10);
  expect(all[0]).toMatchObject({ subject: "Number 12", to: "Zoë <zoe@example.com>" });
  expect(await list("100")).toHaveLength(12);
  expect(await list("1")).toHaveLength(1);
  for (const wrong of ["0", "101", "-1", "1.5", "x", "1e2"]) {
    const { status, outcome } = await callTool(visitor, "gmail/list", { maxResults: wrong });
    expect([wrong, status]).toEqual([wrong, 400]);
    expect(outcome).toMatchObject({ fields: { maxResults: "Type a number from 1 to 100." } });
  }
});

testInProof(
  "an answer goes to the message's reply address, in the same thread, with the fields that make it one",
  async () => {
    await mailArrives(`From: =?UTF-8?B?Wm/Dqw==?= <zoe@example.com>
Reply-To: =?UTF-8?Q?M=C3=BCller=2C_J=C3=B6rg?= <office@example.com>
To: ${googleEmail}
Subject: Lunch
Message-ID: <second@example.com>
References: <first@example.com>

Are you coming?`);
    const visitor = await connected();
    const { outcome } = await callTool(visitor, "gmail/respond", { step: "messages" });
    const [message] = resultOf<ConversationList>(outcome).messages;
    expect(message).toMatchObject({ subject: "Lunch", from: "Zoë <zoe@example.com>" });
    const fields = { messageId: message?.id ?? "", threadId: message?.threadId ?? "" };
    const requests = await requestsOf(async () => {
      const reply = { step: "reply", ...fields, body: "Yes!" };
      expect((await callTool(visitor, "gmail/respond", reply)).outcome.ok).toBe(true);
    });
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${gmail}/threads/${fields.threadId}`,
      `POST ${gmail}/messages/send`,
    ]);
    expect(requests[0]?.query).toEqual({
      format: "metadata",
      metadataHeaders: ["From", "Reply-To", "To", "Subject", "Message-ID", "References"],
    });
    expect(requests[1]?.body).toMatchObject({ threadId: fields.threadId });
    const sent = await PostalMime.parse(rawIn(requests[1]?.body));
    expect(sent.to).toEqual([{ name: "Müller, Jörg", address: "office@example.com" }]);
    expect([sent.subject, sent.text?.trim()]).toEqual(["Re: Lunch", "Yes!"]);
    expect(sent.inReplyTo).toBe("<second@example.com>");
    expect(sent.references).toBe("<first@example.com> <second@example.com>");
    const unknown = { step: "reply", ...fields, messageId: "another", body: "Yes!" };
    expect((await callTool(visitor, "gmail/respond", unknown)).status).toBe(404);
  },
);

test("nothing wrong leaves: no receiver, two lines of subject, nothing to say, far too much", async () => {
  const visitor = await connected();
  const wrong: [Partial<typeof letter>, object][] = [
    [{ to: "" }, { to: "Type who gets the message." }],
    [{ to: "zoe" }, { to: "“zoe” is not an e-mail address." }],
    [{ to: "a@example.com\r\nBcc: b@example.com" }, { to: "A receiver must be on one line." }],
    [{ subject: " " }, { subject: "Type a subject." }],
    [{ subject: "a\r\nBcc: b@example.com" }, { subject: "The subject must be on one line." }],
    [{ body: "\n" }, { body: "Type a message." }],
  ];
  const requests = await requestsOf(async () => {
    for (const [fields, problems] of wrong) {
      const { status, outcome } = await callTool(visitor, "gmail/send", { ...letter, ...fields });
      expect([status, outcome]).toMatchObject([400, { ok: false, fields: problems }]);
    }
    const long = { ...letter, body: "x".repeat(5_300_000) };
    expect((await callTool(visitor, "gmail/send", long)).status).toBe(413);
  });
  expect(requests).toEqual([]);
});

testInProof(
  "a merged message carries its mark, and is found by it where Gmail has given it another id",
  async () => {
    const visitor = await connected();
    const mark = { id: crypto.randomUUID(), since: String(Date.now()), from: googleEmail };
    const find = async (row: string) =>
      resultOf<FoundMerged>(
        (await callTool(visitor, "gmail/merge", { ...mark, row, step: "find" })).outcome,
      );
    expect(await find("7")).toEqual({ sent: false, sure: true });
    const requests = await requestsOf(() =>
      callTool(visitor, "gmail/merge", {
        ...letter,
        to: "Doe, Zoë <zoe@example.com>",
        ...mark,
        row: "7",
      }),
    );
    const sent = await PostalMime.parse(rawIn(requests[0]?.body));
    expect(sent.to).toEqual([{ name: "Doe, Zoë", address: "zoe@example.com" }]);
    const field = sent.headers.find(({ key }) => key === "x-mail-merge-id");
    expect(field?.value).toBe(`${mark.id}.7`);
    expect(await find("7")).toEqual({
      sent: true,
      sure: true,
      link: expect.stringContaining("https://mail.google.com/"),
    });
    expect(await find("8")).toEqual({ sent: false, sure: true });
    for (const bad of ["", "x\r\nBcc: b@example.com"]) {
      const nameless = { ...letter, ...mark, id: bad, row: "1" };
      expect((await callTool(visitor, "gmail/merge", nameless)).status).toBe(400);
    }
  },
);

testInProof.each([
  ["unauthenticated", 401, /no longer accepts the connection.*Connect again/, true],
  ["forbidden", 403, /does not allow this for your account/, false],
  ["notFound", 404, /did not find it/, false],
  ["quota", 429, /limit for your account is reached/, false],
  ["tooMany", 429, /Please try again in 30 seconds/, false],
  ["serverError", 503, /not answering/, false],
  ["unavailable", 503, /not answering/, false],
  ["garbage", 503, /not answering/, false],
] as const)("%s at Google is a %i with a sentence", async (kind, status, sentence, consent) => {
  const visitor = await connected();
  await steerGoogle("faults", { kind, match: gmail });
  const answer = await callTool(visitor, "gmail/list");
  expect(answer.status).toBe(status);
  expect(answer.outcome).toMatchObject({ ok: false, message: expect.stringMatching(sentence) });
  expect("consent" in answer.outcome).toBe(consent);
  const wait = kind === "tooMany" ? "30" : kind === "quota" ? "60" : null;
  expect(answer.headers.get("retry-after")).toBe(wait);
  const sent = await callTool(visitor, "gmail/send", letter);
  if (status === 503) {
    expect(sent.outcome).toMatchObject({
      message: expect.stringContaining("may have left or not"),
    });
  }
});
