import { beforeEach, expect, test } from "vitest";
import { pageFields } from "../../../scripts/lib/page-forms.ts";
import { database } from "../../support/database/database.ts";
import { storedDeployment } from "../../support/deployments/deployments.ts";
import { customer, newDeployment } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";

beforeEach(resetFakes);

testInProof("versions older than the newest 200 can be chosen as well", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  const { options } = await storedDeployment(id);
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

testInProof("a Unicode domain is shown in its letters and as DNS has it", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor, { domain: "rtc.münchen.de" });
  expect((await storedDeployment(id)).options).toMatchObject({ domain: "rtc.xn--mnchen-3ya.de" });
  const both = "rtc.münchen.de (rtc.xn--mnchen-3ya.de)";
  expect(await textAt(visitor, "/dashboard/deployments")).toContain(both);
  expect(await textAt(visitor, `/dashboard/deployments/${id}/edit?step=review`)).toContain(both);
  const page = await (
    await visitor.request(`/dashboard/deployments/${id}/edit?step=domain`)
  ).text();
  expect(pageFields(page).values.domain).toBe("rtc.münchen.de");
  expect(textOfHtml(page)).toContain("In DNS it is written rtc.xn--mnchen-3ya.de.");
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
  const words = await textAt(visitor, `/dashboard/deployments/${id}/edit?step=review`);
  expect(words).toContain("Digital Ocean");
  expect(words).toContain("Update schedule Weekly");
});

testInProof("a row that cannot be read says so and can be mended or deleted", async () => {
  const visitor = await customer("pro");
  const id = await newDeployment(visitor);
  for (const options of [{ version: 99 }, [], {}, { version: 1, domain: { a: 1 } }]) {
    await database.from("deployments").update({ options }).eq("id", id).throwOnError();
    expect(await textAt(visitor, "/dashboard/deployments")).toContain(
      "What is stored cannot be read.",
    );
    for (const step of ["deployment", "review"]) {
      expect(await textAt(visitor, `/dashboard/deployments/${id}/edit?step=${step}`)).toContain(
        "What is stored for this deployment cannot be read any more.",
      );
    }
    const copy = { name: "Copy", domain: "copy.mycompany.com" };
    expect((await visitor.post(`/dashboard/deployments/${id}/duplicate`, copy)).status).toBe(409);
  }
  const named = { name: "Production" };
  expect((await visitor.post(`/dashboard/deployments/${id}/delete`, named)).status).toBe(303);
});

testInProof("the list comes in pages of twenty, without a gap", async () => {
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
