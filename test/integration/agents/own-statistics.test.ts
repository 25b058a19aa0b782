import { beforeEach, expect, test } from "vitest";
import {
  changeOwn,
  newTokenOf,
  report,
  reportOf,
  statisticsOf,
  usagePath,
} from "../../support/agents/agent.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

test("statistics are the customer's own sums, by day and identity, in the days asked for", async () => {
  const visitor = await customer();
  const token = await newTokenOf(visitor);
  await changeOwn(visitor, { intent: "set-allowance", identity: "eve", tokens: "5" });
  await report(token, [
    reportOf("1", "ada", "2026-10-01T00:00:00Z"),
    reportOf("2", "ada", "2026-10-31T23:59:59Z"),
    reportOf("3", "bob", "2026-11-01T00:30:00+02:00"),
    reportOf("4", "bob", "2026-11-01T00:00:00Z"),
    reportOf("5", "bob", "2026-09-30T23:59:59Z"),
  ]);
  expect(await statisticsOf(visitor)).toEqual({
    from: "2026-10-01",
    to: "2026-10-31",
    identity: "",
    total: {
      responses: 3,
      total_tokens: 480,
      input_tokens: 300,
      input_text_tokens: 225,
      input_audio_tokens: 75,
      cached_tokens: 30,
      output_tokens: 180,
      output_text_tokens: 135,
      output_audio_tokens: 45,
    },
    days: [
      { day: "2026-10-01", responses: 1, total_tokens: 160, input_tokens: 100, output_tokens: 60 },
      { day: "2026-10-31", responses: 2, total_tokens: 320, input_tokens: 200, output_tokens: 120 },
    ],
    identities: [
      { identity: "ada", responses: 2, total_tokens: 320, remaining: null },
      { identity: "bob", responses: 1, total_tokens: 160, remaining: null },
      { identity: "eve", responses: 0, total_tokens: 0, remaining: 5 },
    ],
    known: 3,
  });
  const bobs = await visitor.request(`${usagePath}&identity=bob`);
  expect(await bobs.json()).toMatchObject({
    total: { responses: 1 },
    days: [{ day: "2026-10-31", responses: 1 }],
    identities: [{ identity: "bob", responses: 1, total_tokens: 160, remaining: null }],
    known: 1,
  });
  const eves = await visitor.request(`${usagePath}&identity=eve`);
  expect(await eves.json()).toMatchObject({ identities: [{ identity: "eve", remaining: 5 }] });
  for (const query of ["from=2026-10-02&to=2026-10-01", "from=2020-01-01&to=2026-10-01"]) {
    expect((await visitor.request(`/openai-config/usage?${query}`)).status, query).toBe(400);
  }
  for (const query of ["from=x&to=2026-02-31", "identity=%00", "identity=%ED%A0%80", ""]) {
    expect((await visitor.request(`/openai-config/usage?${query}`)).status, query).toBe(200);
  }
});

testInProof(
  "a customer without usage has statistics of zeros, and a CSV of the columns alone",
  async () => {
    const visitor = await customer();
    expect(await statisticsOf(visitor)).toMatchObject({
      total: { responses: 0 },
      days: [],
      known: 0,
    });
    const response = await visitor.request(`${usagePath}&format=csv`);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/^day,identity,responses,[a-z_,]+\r\n$/);
  },
);

testInProof(
  "the CSV has a row for each day and identity, and no formula for a spreadsheet",
  async () => {
    const visitor = await customer();
    const token = await newTokenOf(visitor);
    const day = "2026-10-05T12:00:00Z";
    await report(token, [
      reportOf("1", "ada", day),
      reportOf("2", '=HYPERLINK("x")', day),
      reportOf("3", "Doe, Jane", day),
    ]);
    const response = await visitor.request(`${usagePath}&format=csv`);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="token-usage-2026-10-01-2026-10-31.csv"',
    );
    const figures = "1,160,100,75,25,10,60,45,15";
    expect((await response.text()).split("\r\n").toSorted()).toEqual(
      [
        "",
        "day,identity,responses,total_tokens,input_tokens,input_text_tokens,input_audio_tokens,cached_tokens,output_tokens,output_text_tokens,output_audio_tokens",
        `2026-10-05,"'=HYPERLINK(""x"")",${figures}`,
        `2026-10-05,"Doe, Jane",${figures}`,
        `2026-10-05,ada,${figures}`,
      ].toSorted(),
    );
  },
);
