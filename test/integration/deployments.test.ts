import { beforeEach, expect, test } from "vitest";
import { database, userIdOf } from "../fixtures/database.ts";
import { fullOptions, storeDeployment, storeVersion } from "../fixtures/deployments.ts";
import { resetStandIns, settledStripeEvents, stripeControl } from "../fixtures/stand-ins.ts";
import { stripe } from "../fixtures/stripe-account.ts";
import { variable } from "../fixtures/variables.ts";
import type { Visitor } from "../fixtures/visitor.ts";
import { customer, newDeployment, saveStep, shownFields } from "../fixtures/wizard.ts";

const other = "customer.two@example.com";

beforeEach(resetStandIns);

async function stored(id: string) {
  const { data } = await database.from("deployments").select("*").eq("id", id).single();
  if (!data) throw new Error(`No deployment ${id}`);
  return data;
}

async function wordsAt(visitor: Visitor, path: string): Promise<string> {
  const response = await visitor.request(path);
  expect(response.status, path).toBe(200);
  return asWords(await response.text());
}

function asWords(html: string): string {
  return html
    .replace(/<script[\s\S]*?<\/script>|<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

test("another person's deployment is as unknown as none, in every route", async () => {
  const owner = await customer("pro");
  const stranger = await customer("pro", other);
  const id = await newDeployment(owner);
  const under = (name: string) => [
    `/dashboard/deployments/${name}/edit`,
    `/dashboard/deployments/${name}/edit?step=review`,
    `/dashboard/deployments/${name}/delete`,
    `/dashboard/deployments/${name}`,
    `/dashboard/deployments/${name}/versions?from=1&to=1`,
    `/dashboard/deployments/${name}/files/livekit.yaml`,
    `/dashboard/deployments/${name}/bundle.zip`,
  ];
  const unknown = "00000000-0000-4000-8000-000000000000";
  for (const path of [...under(id), ...under(unknown), ...under(`${id}'--`)]) {
    const response = await stranger.request(path);
    expect.soft([path, response.status]).toEqual([path, 404]);
    expect.soft(await response.text(), path).not.toContain("rtc.mycompany.com");
  }
  for (const name of ["1", "%00", id.toUpperCase()]) {
    expect.soft((await owner.request(`/dashboard/deployments/${name}`)).status, name).toBe(404);
  }
  const fields = { step: "deployment", intent: "progress", done: "yes", restore: "1" };
  for (const path of ["", "/edit", "/delete", "/versions"]) {
    const answer = await stranger.post(`/dashboard/deployments/${id}${path}`, fields);
    expect.soft(answer.status, path).toBe(404);
  }
  const copied = await stranger.post("/dashboard/deployments", { duplicate: id });
  expect(copied.status).toBe(404);
  expect((await stored(id)).version).toBe(1);
  expect(await wordsAt(stranger, "/dashboard/deployments")).toContain("Your first server");
});

test("the database itself gives a deployment to its owner only, and takes writes from nobody", async () => {
  const owner = await customer("pro");
  const stranger = await customer(undefined, other);
  const id = await newDeployment(owner);
  const tokenOf = (visitor: Visitor) =>
    visitor.sessionSecrets().find(({ name }) => name === "access_token")?.value ?? "";
  const ask = (path: string, token: string, method = "GET", body?: object) =>
    fetch(`${variable("SUPABASE_URL")}/rest/v1/${path}`, {
      method,
      headers: {
        apikey: variable("SUPABASE_PUBLISHABLE_KEY"),
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        prefer: "return=representation",
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const anon = variable("SUPABASE_PUBLISHABLE_KEY");
  expect(await (await ask("deployments?select=id", tokenOf(owner))).json()).toEqual([{ id }]);
  for (const table of ["deployments", "deployment_versions"]) {
    expect(await (await ask(table, tokenOf(stranger))).json()).toEqual([]);
    expect((await ask(table, anon)).status).toBe(401);
  }
  const ownerId = await userIdOf("customer.one@example.com");
  const writes: [path: string, method: string, body?: object][] = [
    [`deployments?id=eq.${id}`, "PATCH", { name: "Taken" }],
    [`deployments?id=eq.${id}`, "DELETE"],
    ["deployments", "POST", { user_id: ownerId, name: "Free", options: {} }],
    [`deployment_versions?deployment_id=eq.${id}`, "PATCH", { options: {} }],
    ["deployment_versions", "POST", { deployment_id: id, version: 2, options: {} }],
    [
      "rpc/create_deployment",
      "POST",
      { owner: ownerId, new_name: "Free", new_options: {}, allowed: 9 },
    ],
    [
      "rpc/save_deployment",
      "POST",
      { owner: ownerId, target: id, new_name: "x", new_options: {}, expected_version: 1 },
    ],
    ["rpc/delete_deployment", "POST", { owner: ownerId, target: id }],
    [
      "rpc/set_deployment_progress",
      "POST",
      { owner: ownerId, target: id, step: "dns", done: true },
    ],
  ];
  for (const token of [tokenOf(owner), tokenOf(stranger), anon]) {
    for (const [path, method, body] of writes) {
      const { status } = await ask(path, token, method, body);
      expect.soft([401, 403], `${method} ${path} answered ${status}`).toContain(status);
    }
  }
  expect(await stored(id)).toMatchObject({ name: "Production", version: 1, progress: {} });
});

test("a Basic customer cannot make a second deployment, by 20 requests at once either", async () => {
  const visitor = await customer("basic");
  const form = { name: "Production", domain: "rtc.mycompany.com", email: "ops@mycompany.com" };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => visitor.post("/dashboard/deployments/new", form)),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([303, ...Array.from({ length: 19 }, () => 403)]);
  expect((await database.from("deployments").select("id")).data).toHaveLength(1);
  const refused = asWords(await (await visitor.post("/dashboard/deployments/new", form)).text());
  expect(refused).toContain("Basic has one deployment, and you have it.");
  const list = await wordsAt(visitor, "/dashboard/deployments");
  expect(list).toContain("Basic: 1 of 1");
  expect(list).toContain("Compare plans");
  expect(list).not.toContain("Duplicate");
  const [row] = (await database.from("deployments").select("id")).data ?? [];
  expect((await visitor.post("/dashboard/deployments", { duplicate: row?.id ?? "" })).status).toBe(
    403,
  );
});

test("Basic's locked choices say where they are to be had, and the server refuses them", async () => {
  const visitor = await customer("basic");
  const id = await newDeployment(visitor);
  const locked: [step: string, field: string, changes: Record<string, string>, words: string][] = [
    ["security", "extraDomains", { extraDomains: "two.mycompany.com" }, "Further domains"],
    [
      "server",
      "turn.mode",
      { "turn.mode": "manual", "turn.domain": "turn.mycompany.com", "turn.tls": "on" },
      "A TURN domain of your own",
    ],
    ["security-advanced", "monitoring", { monitoring: "advanced" }, "Advanced monitoring"],
    ["security-advanced", "monitoring", { monitoring: "24/7" }, "Advanced monitoring"],
    ["features", "ingress", { ingress: "rtmp" }, "Ingress"],
    ["features", "recording.kind", { "recording.kind": "local" }, "Egress, which records,"],
    ["management", "backups.frequency", { "backups.frequency": "daily" }, "Automatic backups"],
  ];
  for (const [step, field, changes, words] of locked) {
    const path = `/dashboard/deployments/${id}/edit?step=${step}`;
    expect.soft(await wordsAt(visitor, path), step).toContain("Part of Pro.");
    const response = await saveStep(visitor, id, step, changes);
    const page = await response.text();
    expect.soft([field, response.status]).toEqual([field, 400]);
    expect.soft(asWords(page)).toContain(`${words} needs the Pro plan.`);
    expect.soft(shownFields(page).typed[field]).toBe(changes[field]);
  }
  expect((await stored(id)).version).toBe(1);
});

test("a draft's choices are filled in, and what the plan lacks or needs more for is named", async () => {
  const draft = JSON.stringify({
    provider: "Digital Ocean",
    region: "EU West",
    securityLevel: "High",
    backupFrequency: "Daily",
    recordingStorage: "S3",
    ignored: { a: 1 },
  });
  const form = { name: "P", domain: "rtc.mycompany.com", email: "ops@mycompany.com", draft };
  const visitor = await customer("basic");
  const made = await visitor.post("/dashboard/deployments/new", form);
  const address = made.headers.get("location") ?? "";
  const words = await wordsAt(visitor, address);
  expect(words).toContain("without automatic backups: that is part of Pro");
  expect(words).toContain("Still to say: the bucket for recordings (step Media)");
  expect((await stored(address.split("/")[3] ?? "")).options).toMatchObject({
    provider: "digital-ocean",
    region: "eu-west",
    security: "high",
    backups: { frequency: "none" },
    recording: { kind: "none" },
  });
});

test("without a plan nothing is made, and the way to one is shown", async () => {
  const visitor = await customer();
  expect(await wordsAt(visitor, "/dashboard/deployments")).toContain("Choose a plan");
  const response = await visitor.post("/dashboard/deployments/new", {
    name: "P",
    domain: "rtc.mycompany.com",
    email: "ops@mycompany.com",
  });
  expect(response.status).toBe(403);
  expect((await database.from("deployments").select("id")).data).toEqual([]);
});

test("an ended plan still reads, downloads and deletes, and changes nothing", async () => {
  const visitor = await customer("basic");
  const id = await newDeployment(visitor);
  const [subscription] = (await stripe.subscriptions.list()).data;
  await stripeControl(`subscriptions/${subscription?.id}/cancel`);
  await stripeControl(`subscriptions/${subscription?.id}/renew`);
  await settledStripeEvents();

  expect(await wordsAt(visitor, `/dashboard/deployments/${id}/edit?step=review`)).toContain(
    "rtc.mycompany.com",
  );
  const step = await wordsAt(visitor, `/dashboard/deployments/${id}/edit`);
  expect(step).toContain("Your plan has ended. You can read and download everything");
  expect(step).not.toContain("Save and continue");
  expect((await visitor.request(`/dashboard/deployments/${id}/bundle.zip`)).status).toBe(200);
  expect((await saveStep(visitor, id, "management", { updates: "weekly" })).status).toBe(403);
  expect((await visitor.post("/dashboard/deployments", { duplicate: id })).status).toBe(403);
  expect((await stored(id)).version).toBe(1);
  expect((await visitor.post(`/dashboard/deployments/${id}/delete`, {})).status).toBe(303);
});

test("each step is saved as a version, and one that changes nothing is not", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const saved = await saveStep(visitor, id, "management", { updates: "weekly" });
  expect(saved.headers.get("location")).toContain("step=review");
  await saveStep(visitor, id, "management", { updates: "weekly" });
  await saveStep(visitor, id, "deployment", { name: "Renamed" });
  expect(await stored(id)).toMatchObject({ version: 2, name: "Renamed" });
  const { data } = await database.from("deployment_versions").select("version, options");
  expect(data).toMatchObject([
    { version: 1, options: { updates: "manual" } },
    { version: 2, options: { updates: "weekly" } },
  ]);
});

test("what was saved elsewhere in the meantime is not overwritten unseen", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const path = `/dashboard/deployments/${id}/edit?step=management`;
  const { typed } = shownFields(await (await visitor.request(path)).text());
  await saveStep(visitor, id, "security-advanced", { security: "high" });
  const response = await visitor.post(path, { ...typed, updates: "monthly" });
  const page = await response.text();
  expect(response.status).toBe(409);
  expect(asWords(page)).toContain(
    "was saved elsewhere in the meantime. What you typed is still below",
  );
  const again = shownFields(page).typed;
  expect(again.updates).toBe("monthly");
  expect((await visitor.post(path, again)).status).toBe(303);
  expect((await stored(id)).options).toMatchObject({ security: "high", updates: "monthly" });
});

test("what is typed when the session has ended comes back after signing in", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const path = `/dashboard/deployments/${id}/edit?step=security`;
  const { typed } = shownFields(await (await visitor.request(path)).text());
  await visitor.post("/signout", {});
  const response = await visitor.post(path, { ...typed, domain: "new.mycompany.com" });
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe(`/signin?${new URLSearchParams({ next: path })}`);
  await visitor.signInWithGoogle();
  const page = await (await visitor.request(path)).text();
  expect(shownFields(page).typed.domain).toBe("new.mycompany.com");
  expect(asWords(page)).toContain("This is what you typed before you had to sign in.");
  expect((await visitor.post(path, shownFields(page).typed)).status).toBe(303);
  expect((await stored(id)).options).toMatchObject({ domain: "new.mycompany.com" });
  expect(shownFields(await (await visitor.request(path)).text()).typed.domain).toBe(
    "new.mycompany.com",
  );
  expect(await wordsAt(visitor, path)).not.toContain("before you had to sign in");
});

test("what comes back after signing in does not overwrite what was saved meanwhile, mistakes or not", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const path = `/dashboard/deployments/${id}/edit?step=security`;
  const { typed } = shownFields(await (await visitor.request(path)).text());
  await visitor.post("/signout", {});
  await visitor.post(path, { ...typed, domain: "new.mycompany.com" });
  const elsewhere = await customer();
  await saveStep(elsewhere, id, "management", { updates: "weekly" });
  await visitor.signInWithGoogle();
  const back = shownFields(await (await visitor.request(path)).text()).typed;
  const mistaken = await visitor.post(path, { ...back, domain: "*.mycompany.com" });
  expect(mistaken.status).toBe(400);
  const mended = { ...shownFields(await mistaken.text()).typed, domain: "new.mycompany.com" };
  const told = await visitor.post(path, mended);
  expect(told.status).toBe(409);
  expect((await stored(id)).options).toMatchObject({ domain: "rtc.mycompany.com" });
  expect((await visitor.post(path, shownFields(await told.text()).typed)).status).toBe(303);
  expect((await stored(id)).options).toMatchObject({
    domain: "new.mycompany.com",
    updates: "weekly",
  });
});

test("a version that the plan lacks is not restored, and what it lacks is named", async () => {
  const visitor = await customer("basic");
  const id = await storeDeployment("customer.one@example.com", fullOptions());
  const simple = { ...fullOptions(), ingress: "none", monitoring: "basic" } as const;
  await storeVersion("customer.one@example.com", id, simple, 1);
  const answer = await visitor.post(`/dashboard/deployments/${id}/versions`, { restore: "1" });
  expect(answer.status).toBe(400);
  const words = asWords(await answer.text());
  expect(words).toContain("Your plan does not have this. Advanced monitoring needs the Pro plan.");
  expect(words).toContain("Ingress needs the Pro plan.");
  expect((await stored(id)).version).toBe(2);
});

test("versions older than the newest 200 can be chosen as well", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const { options } = await stored(id);
  const further = Array.from({ length: 204 }, (_, index) => ({
    deployment_id: id,
    version: index + 2,
    options,
  }));
  await database.from("deployment_versions").insert(further);
  await database.from("deployments").update({ version: 205 }).eq("id", id);
  const path = `/dashboard/deployments/${id}/versions`;
  const choicesAt = async (address: string) => {
    const page = await (await visitor.request(address)).text();
    const select = /<select[^>]*name="from"[\s\S]*?<\/select>/.exec(page)?.[0] ?? "";
    const older = /href="([^"]*)"[^>]*>Older versions/.exec(page)?.[1]?.replaceAll("&amp;", "&");
    return {
      versions: [...select.matchAll(/<option[^>]*value="(\d+)"/g)].map(([, value]) =>
        Number(value),
      ),
      chosen: Number(/<option[^>]*value="(\d+)"[^>]*selected/.exec(select)?.[1]),
      older,
    };
  };
  const newest = await choicesAt(path);
  expect([newest.versions.at(0), newest.versions.at(-1), newest.chosen]).toEqual([205, 6, 204]);
  const rest = await choicesAt(newest.older ?? "");
  expect(rest.versions).toEqual([205, 204, 5, 4, 3, 2, 1]);
  expect(rest.older).toBeUndefined();
  expect((await choicesAt(`${path}?from=2&to=3`)).chosen).toBe(2);
});

test("whoever is signed out changes nothing, and only a deployment's form is kept for later", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  await visitor.post("/signout", {});
  const here = `/dashboard/deployments/${id}`;
  const typed = { name: "Taken", domain: "taken.mycompany.com", email: "taken@mycompany.com" };
  const forms: [path: string, fields: Record<string, string>, kept: boolean][] = [
    ["/dashboard/deployments", { duplicate: id }, false],
    ["/dashboard/account", { intent: "password", password: "a long secret one" }, false],
    [`${here}/delete`, {}, false],
    [here, { intent: "progress", step: "dns", done: "yes" }, true],
    [`${here}/edit?step=deployment`, { ...typed, step: "deployment", version: "1" }, true],
    ["/dashboard/deployments/new", typed, true],
  ];
  for (const [path, fields, kept] of forms) {
    const answer = await visitor.post(path, fields);
    expect.soft([path, answer.status]).toEqual([path, 302]);
    expect.soft(answer.headers.get("location"), path).toMatch(/^\/signin\?next=/);
    const cookies = answer.headers.getSetCookie().join();
    expect.soft([path, cookies.includes("unsaved-form=")]).toEqual([path, kept]);
    expect.soft(cookies, path).not.toContain("long secret");
  }
  const { data } = await database.from("deployments").select("name, version, progress");
  expect(data).toEqual([{ name: "Production", version: 1, progress: {} }]);
});

test("after too many saves the wait is said and what was typed stays", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const path = `/dashboard/deployments/${id}/edit?step=security`;
  const { typed } = shownFields(await (await visitor.request(path)).text());
  const tick = { intent: "progress", step: "dns", done: "yes" };
  let response: Response | undefined;
  // Twice the limit, because the minute that counts may end in between.
  for (let ticks = 0; ticks < 130 && response?.status !== 429; ticks++) {
    const { status } = await visitor.post(`/dashboard/deployments/${id}`, tick);
    if (status === 429) response = await visitor.post(path, { ...typed, email: "late@my.com" });
  }
  if (response?.status !== 429) throw new Error("Nothing was ever too often");
  expect(response.headers.get("retry-after")).toBe("60");
  const page = await response.text();
  expect(asWords(page)).toContain("Too many attempts.");
  expect(shownFields(page).typed.email).toBe("late@my.com");
});

test("a Unicode domain is shown in its letters and as DNS has it", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor, { domain: "rtc.münchen.de" });
  expect((await stored(id)).options).toMatchObject({ domain: "rtc.xn--mnchen-3ya.de" });
  const both = "rtc.münchen.de (rtc.xn--mnchen-3ya.de)";
  expect(await wordsAt(visitor, "/dashboard/deployments")).toContain(both);
  expect(await wordsAt(visitor, `/dashboard/deployments/${id}/edit?step=review`)).toContain(both);
  const page = await (
    await visitor.request(`/dashboard/deployments/${id}/edit?step=security`)
  ).text();
  expect(shownFields(page).typed.domain).toBe("rtc.münchen.de");
  expect(asWords(page)).toContain("In DNS it is written rtc.xn--mnchen-3ya.de.");
});

test("options of an older version are read as today's", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const draft = {
    provider: "Digital Ocean",
    domain: "old.mycompany.com",
    email: "ops@mycompany.com",
    updateSchedule: "Weekly",
  };
  await database.from("deployments").update({ options: draft }).eq("id", id).throwOnError();
  const words = await wordsAt(visitor, `/dashboard/deployments/${id}/edit?step=review`);
  expect(words).toContain("Digital Ocean");
  expect(words).toContain("Update schedule Weekly");
});

test("a row that cannot be read says so and can be mended or deleted", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  for (const options of [{ version: 99 }, [], {}, { version: 1, domain: { a: 1 } }]) {
    await database.from("deployments").update({ options }).eq("id", id).throwOnError();
    expect(await wordsAt(visitor, "/dashboard/deployments")).toContain(
      "What is stored cannot be read.",
    );
    for (const step of ["deployment", "review"]) {
      expect(await wordsAt(visitor, `/dashboard/deployments/${id}/edit?step=${step}`)).toContain(
        "What is stored for this deployment cannot be read any more.",
      );
    }
    expect((await visitor.post("/dashboard/deployments", { duplicate: id })).status).toBe(409);
  }
  expect((await visitor.post(`/dashboard/deployments/${id}/delete`, {})).status).toBe(303);
});

test("a copy is a deployment of its own, and deleting one leaves the other", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const copy = await visitor.post("/dashboard/deployments", { duplicate: id });
  expect(copy.status).toBe(303);
  expect(await wordsAt(visitor, "/dashboard/deployments")).toContain("Copy of Production");
  expect(await wordsAt(visitor, `/dashboard/deployments/${id}/delete`)).toContain(
    "Its options and its one saved version are removed for good.",
  );
  const deleted = await visitor.post(`/dashboard/deployments/${id}/delete`, {});
  expect(await wordsAt(visitor, deleted.headers.get("location") ?? "")).toContain(
    "The deployment was deleted, with all its versions.",
  );
  expect((await database.from("deployments").select("name")).data).toEqual([
    { name: "Copy of Production" },
  ]);
});

test("the list comes in pages of twenty, without a gap", async () => {
  const visitor = await customer("pro");
  await newDeployment(visitor);
  const { data: row } = await database.from("deployments").select("*").single().throwOnError();
  const saved = "2026-01-01T00:00:00Z";
  const rows = Array.from({ length: 24 }, (_, at) => ({
    user_id: row.user_id,
    name: `Room ${String(at).padStart(2, "0")}`,
    options: row.options,
    updated_at: saved,
  }));
  await database.from("deployments").insert(rows).throwOnError();
  const first = await (await visitor.request("/dashboard/deployments")).text();
  const next = /href="(\/dashboard\/deployments\?after=[^"]+)"/.exec(first)?.[1] ?? "";
  const second = await (await visitor.request(next.replaceAll("&amp;", "&"))).text();
  const names = (page: string) =>
    [...page.matchAll(/>(Room \d\d|Production)<\/a>/g)].map(([, n]) => n);
  expect(names(first)).toHaveLength(20);
  expect(new Set([...names(first), ...names(second)]).size).toBe(25);
  for (const after of ["x", "2026-01-01T00:00:00Z~1", `${saved}~${row.id}),id.gt.0`]) {
    const response = await visitor.request(
      `/dashboard/deployments?${new URLSearchParams({ after })}`,
    );
    expect(response.status, after).toBe(200);
  }
});

test("answers on /services are saved into the deployment last worked on, within the plan", async () => {
  const visitor = await customer("basic");
  const begin = await visitor.post("/services", { updateSchedule: "Weekly" });
  expect(begin.status).toBe(200);
  const id = await newDeployment(visitor);
  const saved = await visitor.post("/services", { updateSchedule: "Weekly", provider: "Azure" });
  expect(saved.status).toBe(200);
  expect(saved.headers.get("cache-control")).toContain("no-store");
  expect(await stored(id)).toMatchObject({
    version: 2,
    options: { updates: "weekly", provider: "azure", domain: "rtc.mycompany.com" },
  });
  expect((await visitor.post("/services", { backupFrequency: "Daily" })).status).toBe(400);
  expect((await visitor.post("/services", { domain: "*.mycompany.com" })).status).toBe(400);
  expect((await visitor.post("/services", { recordingStorage: "S3" })).status).toBe(400);
  await visitor.post("/signout", {});
  expect((await visitor.post("/services", { updateSchedule: "Monthly" })).status).toBe(200);
  expect((await stored(id)).version).toBe(2);
});
