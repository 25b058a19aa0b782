import { afterAll, beforeAll, expect, test } from "vitest";
import { type InternetFake, startInternetFake } from "../../../fakes/internet/fake.ts";

let fake: InternetFake;

beforeAll(async () => {
  fake = await startInternetFake({ port: 0 });
});
afterAll(() => fake.close());

/**
 * The answer that Cloudflare's documentation shows for `name=example.com&type=AAAA`:
 * https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/
 */
const documented = {
  Status: 0,
  TC: false,
  RD: true,
  RA: true,
  AD: true,
  CD: false,
  Question: [{ name: "example.com.", type: 28 }],
  Answer: [
    { name: "example.com.", type: 28, TTL: 1726, data: "2606:2800:220:1:248:1893:25c8:1946" },
  ],
};

function ask(query: string, accept = "application/dns-json"): Promise<Response> {
  return fetch(`${fake.url}/dns-query?${query}`, { headers: { accept } });
}

async function steer(control: object): Promise<void> {
  await fetch(`${fake.url}/_local/control`, { method: "POST", body: JSON.stringify(control) });
}

/** The same with every value replaced by its type. */
function form(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(form);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, form(each)]));
}

test("the resolver's answer has the form that 1.1.1.1 documents", async () => {
  await steer({ name: "example.com", AAAA: ["2606:2800:220:1:248:1893:25c8:1946"] });
  const response = await ask("name=example.com&type=AAAA");
  expect(response.headers.get("content-type")).toBe("application/dns-json");
  expect(form(await response.json())).toEqual(form(documented));
});

test("a name that does not exist is status 3 without an answer, and an alias leads on", async () => {
  const missing = await (await ask("name=nowhere.example.com")).json();
  expect(missing).toMatchObject({ Status: 3 });
  expect(missing).not.toHaveProperty("Answer");
  await steer({ name: "www.example.com", CNAME: "example.com" });
  expect(await (await ask("name=www.example.com&type=AAAA")).json()).toMatchObject({
    Answer: [
      { type: 5, data: "example.com." },
      { type: 28, data: "2606:2800:220:1:248:1893:25c8:1946" },
    ],
  });
});

test("a request without a name, of an unknown type or without the header is refused", async () => {
  for (const query of ["", "type=A", "name=example.com&type=WRONG"]) {
    expect((await ask(query)).status, query).toBe(400);
  }
  expect((await ask("name=example.com", "*/*")).status).toBe(400);
});
