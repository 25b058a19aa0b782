import { beforeEach, expect, test } from "vitest";
import { siteQuotas } from "../../../app/platform/database/quotas.ts";
import { mailsTo, mailTo } from "../../support/auth/inbox.ts";
import { siteWith, storedMessages, support } from "../../support/contact/contact.ts";
import { database, userIdOf } from "../../support/database/database.ts";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { faults } from "../../support/faults/fault-proxy.ts";
import { sharedSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const other = "customer.two@example.com";
const page = "/dashboard/support";
const message = "Doctor says that 3478/udp is closed.\nWhat do I open?";

let owner: Visitor;
let deployment: string;

beforeEach(async () => {
  await resetFakes();
  owner = new Visitor();
  await owner.signInWithGoogle(email);
  deployment = await storeDeployment(email, fullOptions());
  await storeVersion(email, deployment, { ...fullOptions(), ingress: "none" }, 1);
});

const send = (who: Visitor, changes: object = {}) =>
  who.post(page, { topic: "support", deployment, message, ...changes });

async function answer(words: string): Promise<void> {
  const [stored] = await storedMessages();
  await database
    .rpc("answer_contact_message", { message: stored?.id ?? "", answer: words })
    .throwOnError();
}

test("support gets the account, the deployment and its version with the message", async () => {
  const shown = await (await owner.request(`${page}?deployment=${deployment}`)).text();
  expect(textOfHtml(shown)).toContain(`answers to ${email}`);
  expect(shown).toMatch(new RegExp(`<option value="${deployment}" selected="">Production, v2<`));
  const answered = await send(owner);
  expect(answered.status).toBe(303);
  const [stored] = await storedMessages();
  expect(stored).toMatchObject({
    user_id: await userIdOf(email),
    email,
    message,
    deployment_id: deployment,
    deployment_version: 2,
    status: "open",
  });
  const [mail] = await pollUntil(
    () => mailsTo(support),
    (mails) => mails.length > 0,
  );
  for (const line of [email, "Deployment: Production, v2", deployment, stored?.user_id ?? "none"])
    expect(mail?.text).toContain(line);
});

testInProof("what was written stands on the page, and later the answer with it", async () => {
  expect(await textAt(owner, page)).toContain("What you write here stands here");
  const answered = await send(owner);
  const address = answered.headers.get("location") ?? "";
  expect(await textAt(owner, address)).toContain(`We have your message. A copy goes to ${email}.`);
  const before = await textAt(owner, page);
  expect(before).toContain("Doctor says that 3478/udp is closed.");
  expect(before).toContain("Waiting for an answer");
  await answer("Open 3478/udp in the security group.");
  const after = await textAt(owner, page);
  expect(after).toContain("Open 3478/udp in the security group.");
  expect(after).toContain("Answered");
  expect(after).not.toContain("Waiting for an answer");
});

testInProof("who writes to support gets a copy by mail, at the account's own address", async () => {
  await send(owner, { email: other, name: "Mallory" });
  const copy = await mailTo(email, "We have your message");
  expect(copy.to).toEqual([email]);
  expect(copy.text).toContain("Doctor says that 3478/udp is closed.");
  expect(copy.text).toContain("Deployment: Production, v2");
  expect(await mailsTo(other)).toEqual([]);
});

test("messages and answers are their writer's alone", async () => {
  await send(owner);
  await answer("Open 3478/udp in the security group.");
  const stranger = new Visitor();
  await stranger.signInWithGoogle(other);
  const text = await textAt(stranger, page);
  expect(text).not.toContain("3478/udp");
  expect(text).toContain("What you write here stands here");
});

test("a deployment of somebody else is refused, and what was written is kept", async () => {
  const stranger = new Visitor();
  await stranger.signInWithGoogle(other);
  const refused = await send(stranger);
  const html = await refused.text();
  expect(refused.status).toBe(400);
  expect(html).toContain("Doctor says that 3478/udp is closed.");
  expect(await storedMessages()).toEqual([]);
});

testInProof.each([
  [{ message: "Help" }, 400, "Write at least 10 characters."],
  [{ topic: "nothing" }, 400, "Choose a topic."],
])("a message that is refused for %j is kept", async (changes, status, words) => {
  const refused = await send(owner, changes);
  const html = await refused.text();
  expect(refused.status).toBe(status);
  expect(html).toContain(words);
  expect(html).toContain(`<option value="${deployment}" selected="">`);
  expect(html).toContain("message" in changes ? ">Help</textarea>" : "What do I open?</textarea>");
});

testInProof("with the database down what was written is kept, and a sentence says so", async () => {
  const site = await sharedSiteWithFaults();
  const person = new Visitor(site.url);
  await person.signInWithGoogle(email);
  site.supabaseProxy.behave((request, forward) =>
    request.path.includes("keep_support_message") ? faults.error(request, forward) : forward(),
  );
  const refused = await send(person);
  const html = await refused.text();
  expect(refused.status).toBe(503);
  expect(html).toContain("Your message could not be stored right now, so nothing was sent.");
  expect(html).toContain("What do I open?</textarea>");
});

test("one account writes so many messages a day, and the next is kept on the page", async () => {
  const row = { name: email, email, topic: "support", message, user_id: await userIdOf(email) };
  await database
    .from("contact_messages")
    .insert(Array.from({ length: 20 }, () => row))
    .throwOnError();
  const refused = await send(owner);
  expect(refused.status).toBe(429);
  const html = await refused.text();
  expect(html).toContain("you have written as often today as we can take");
  expect(html).toContain("What do I open?</textarea>");
});

testInProof(
  "a flood of the public form neither refuses a customer's message nor removes it, and the other way round",
  async () => {
    expect((await send(owner)).status).toBe(303);
    const minuteAgo = new Date(Date.now() - 60_000).toISOString();
    await database
      .from("contact_messages")
      .update({ created_at: minuteAgo })
      .eq("email", email)
      .throwOnError();
    const row = { name: "Flood", email: "flood@example.com", topic: "sales", message };
    const rows = Array.from({ length: siteQuotas.contactMessagesKept }, () => row);
    await database.from("contact_messages").insert(rows).throwOnError();
    await database.rpc("remove_expired", { at_most: 10_000 }).throwOnError();
    expect(await textAt(owner, page)).toContain("Doctor says that 3478/udp is closed.");
    expect((await send(owner)).status).toBe(303);
    await database.from("contact_messages").delete().eq("name", "Flood").throwOnError();
    const storedRow = { ...row, user_id: await userIdOf(email) };
    const many = Array.from({ length: siteQuotas.contactMessagesADay }, () => storedRow);
    await database.from("contact_messages").insert(many).throwOnError();
    const form = { name: "Ada", email: other, topic: "sales", message };
    expect((await new Visitor().post("/contact", form)).status).toBe(303);
  },
);

testInProof(
  "a deleted deployment is neither named by a message nor has it unsaved changes",
  async () => {
    const person = await userIdOf(email);
    await database
      .from("deployments")
      .update({ deleted_at: new Date().toISOString() })
      .eq("id", deployment)
      .throwOnError();
    const saved = await database
      .rpc("keep_unsaved_changes", {
        owner: person,
        fields_of_form: ["domain"],
        new_changes: { domain: { was: "", now: "late.example.com" } },
        target: deployment,
      })
      .throwOnError();
    expect(saved.data).toBe(false);
    const id = crypto.randomUUID();
    await database
      .rpc("keep_support_message", {
        new_id: id,
        owner: person,
        owner_email: email,
        new_topic: "support",
        new_message: message,
        about: deployment,
        about_version: 2,
      })
      .throwOnError();
    expect(await storedMessages()).toMatchObject([
      { id, deployment_id: null, deployment_version: null },
    ]);
  },
);

testInProof("without a key for Resend no copy is promised", async () => {
  await using site = await siteWith({ RESEND_API_KEY: "" });
  const person = new Visitor(site.url);
  await person.signInWithGoogle(email);
  const address = (await send(person)).headers.get("location") ?? "";
  const text = await textAt(person, address);
  expect(text).toContain("We have your message.");
  expect(text).not.toContain("A copy goes to");
});
