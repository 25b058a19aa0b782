import { beforeEach, expect, test } from "vitest";
import { message, siteWith, storedMessages } from "../../support/contact/contact.ts";
import { startReceiver } from "../../support/faults/http-receiver.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { variable } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";

beforeEach(resetFakes);

test("with mail down the message is stored all the same, and the log names only its id", async () => {
  await using site = await siteWith({ RESEND_API_URL: "http://127.0.0.1:9" });
  const sent = await new Visitor(site.url).post("/contact", message);
  expect(sent.status).toBe(303);
  const [stored] = await storedMessages();
  const lines: Record<string, unknown>[] = [];
  await expect
    .poll(() => {
      lines.push(...site.takeLogs());
      return lines.find((line) => line.message === "A contact message was not mailed");
    })
    .toMatchObject({ level: "error", id: stored?.id });
  const logged = JSON.stringify(lines);
  for (const personal of ["Ada", "ada@", "three rooms"]) expect(logged).not.toContain(personal);
});

testInProof("Resend is asked with an idempotency key, the message's id", async () => {
  await using resend = await startReceiver(200);
  await using site = await siteWith({ RESEND_API_URL: resend.url });
  await new Visitor(site.url).post("/contact", message);
  await expect.poll(() => resend.requests.length).toBe(1);
  const [stored] = await storedMessages();
  expect(resend.requests[0]).toMatchObject({
    path: "/emails",
    headers: {
      "idempotency-key": stored?.id,
      authorization: `Bearer ${variable("RESEND_API_KEY")}`,
    },
  });
});

testInProof("a refusal by Resend is logged by its status", async () => {
  await using resend = await startReceiver(422);
  await using site = await siteWith({ RESEND_API_URL: resend.url });
  expect((await new Visitor(site.url).post("/contact", message)).status).toBe(303);
  await expect
    .poll(() => site.takeLogs().find((line) => line.message === "A contact message was not mailed"))
    .toMatchObject({ status: 422 });
});

testInProof("without a key for Resend a message is stored and nothing is mailed", async () => {
  await using resend = await startReceiver(200);
  await using site = await siteWith({ RESEND_API_KEY: "", RESEND_API_URL: resend.url });
  expect((await new Visitor(site.url).post("/contact", message)).status).toBe(303);
  expect(await storedMessages()).toHaveLength(1);
  expect(resend.requests).toEqual([]);
});
