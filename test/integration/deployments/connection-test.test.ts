import { beforeEach, expect, test } from "vitest";
import { database, userIdOf } from "../../support/database/database.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { hashOfSecret, newSecret, storeTestLink } from "../../support/deployments/test-links.ts";
import { failedResult, goodResult } from "../../support/deployments/test-results.ts";
import {
  resetFakes,
  resolverRequests,
  steerInternet,
  steerServer,
} from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const domain = "media.example.com";

let owner: Visitor;
let id: string;
const here = () => `/dashboard/deployments/${id}/connection-test`;

beforeEach(async () => {
  await resetFakes();
  owner = await signedIn(email);
  id = await storeDeployment(email, fullOptions());
});

const policyOf = ({ headers }: Response, name: string) =>
  headers
    .get("content-security-policy")
    ?.split("; ")
    .find((each) => each.startsWith(`${name} `));
const textOf = async (response: Response) =>
  textOfHtml((await response.text()).replaceAll(/<wbr\/?>/g, "")).replaceAll("&#x27;", "'");

/** A stored link and its address. */
async function link(): Promise<{ id: string; path: string; secret: string }> {
  const secret = newSecret();
  const stored = await storeTestLink(id, secret);
  return { id: stored, path: `/connection-test/${secret}`, secret };
}

const post = (visitor: Visitor, path: string, result: unknown) =>
  visitor.post(`${path}.data`, { result: JSON.stringify(result) });

async function results(): Promise<unknown[]> {
  const { data } = await database
    .from("connection_tests")
    .select("link_id, result")
    .eq("deployment_id", id)
    .throwOnError();
  return data;
}

test("the console's test connects to this site and the deployment's own server, and asks for no microphone", async () => {
  const response = await owner.request(here());
  expect(response.status).toBe(200);
  expect(policyOf(response, "connect-src")).toBe(
    `connect-src 'self' https://${domain} wss://${domain}`,
  );
  expect(response.headers.get("permissions-policy")).toContain("microphone=()");
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  const text = await textOf(response);
  expect(text).toContain("The test is made by this browser, and that needs JavaScript");
  expect(text).toContain("sudo livekit-deploy credentials");
  expect(text).toContain("No link was made yet.");
  expect(text).toContain("No test was run yet.");
});

test("a link opens for somebody without an account: nothing is set, cached or told to others, and one server may be connected to", async () => {
  await steerServer(domain, "livekit");
  const stranger = new Visitor();
  const response = await stranger.request((await link()).path);
  expect(response.status).toBe(200);
  expect(response.headers.get("set-cookie")).toBeNull();
  expect(stranger.cookies.size).toBe(0);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  expect(response.headers.get("permissions-policy")).toContain("microphone=()");
  const directives = response.headers.get("content-security-policy")?.split("; ") ?? [];
  const [scripts, ...others] = directives.filter((each) => !/^default-src|^report/.test(each));
  expect(scripts).toMatch(/^script-src 'self'( 'sha256-[\w+/=]+')+$/);
  expect(others).toEqual([
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' https://${domain} wss://${domain}`,
    "frame-src 'none'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default page-text",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ]);
  const html = await response.text();
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  const text = textOfHtml(html);
  expect(text).toContain(`Does this network let calls through to ${domain}?`);
  expect(text).toContain("The test is made by your browser, and that needs JavaScript");
  expect(html).not.toContain("Production");
  expect(html).not.toContain("An office");
});

test("a link that was never made is 404, and one that has ended or whose deployment is deleted is not open", async () => {
  await steerServer(domain, "livekit");
  const stranger = new Visitor();
  for (const path of [newSecret(), "short", "..%2f..%2fdashboard"]) {
    const response = await stranger.request(`/connection-test/${path}`);
    expect([response.status, policyOf(response, "connect-src")]).toEqual([
      404,
      expect.not.stringContaining(domain),
    ]);
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  }
  const ended = await link();
  await database
    .from("connection_test_links")
    .update({ expires_at: new Date(Date.now() - 1_000).toISOString() })
    .eq("id", ended.id)
    .throwOnError();
  const response = await stranger.request(ended.path);
  expect(response.status).toBe(410);
  expect(policyOf(response, "connect-src")).not.toContain(domain);
  expect(await textOf(response)).toContain("This link has ended.");
  expect((await post(stranger, ended.path, goodResult)).status).toBe(410);

  const deleted = await link();
  await owner.post(`/dashboard/deployments/${id}/delete`, { name: "Production" });
  expect((await stranger.request(deleted.path)).status).toBe(404);
  expect((await post(stranger, deleted.path, goodResult)).status).toBe(404);
  expect(await results()).toEqual([]);
});

test("a name that leads nowhere or into a private network is tested by nobody's browser", async () => {
  const { path } = await link();
  const stranger = new Visitor();
  const open = async () => {
    const response = await stranger.request(path);
    expect(policyOf(response, "connect-src")).not.toContain(domain);
    return { status: response.status, text: await textOf(response) };
  };
  expect((await open()).text).toContain(`The name ${domain} leads to no address.`);
  await steerInternet({ name: domain, A: ["10.0.0.5"] });
  expect((await open()).text).toContain("leads to an address that is not on the internet");
  await steerInternet({ name: domain, A: ["198.41.0.4", "127.0.0.1"] });
  expect((await open()).text).toContain("leads to an address that is not on the internet");
  await steerInternet({ resolver: "down" });
  expect((await open()).status).toBe(503);
});

test("a result by a link is in the console, with its sentence and without anybody's address", async () => {
  await steerServer(domain, "livekit");
  const { path, id: linkId } = await link();
  const stranger = new Visitor();
  expect((await post(stranger, path, goodResult)).status).toBe(200);
  expect(await results()).toEqual([{ link_id: linkId, result: goodResult }]);
  expect(JSON.stringify(await results())).not.toContain(stranger.address);
  const text = await textOf(await owner.request(here()));
  expect(text).toContain("An office · Chrome 141");
  expect(text).toContain("Calls take the best way here: straight to the server, over UDP.");
  expect(text).toContain("port 50001, connected in 312 ms, round trip 21 ms");
});

test("nothing but a result is taken: no free text, and nothing from another site", async () => {
  await steerServer(domain, "livekit");
  const { path } = await link();
  const stranger = new Visitor();
  for (const sent of [
    { ...goodResult, note: "hello" },
    { ...goodResult, outside: "nothing" },
    { ...goodResult, usual: { state: "failed", failure: "eyJhbGciOi", afterMs: 1 } },
    "x".repeat(200_000),
    null,
  ]) {
    expect((await post(stranger, path, sent)).status).toBe(400);
  }
  const foreign = await fetch(`${siteUrl}${path}.data`, {
    method: "POST",
    headers: { origin: "https://elsewhere.example" },
    body: new URLSearchParams({ result: JSON.stringify(goodResult) }),
  });
  expect(foreign.status).toBe(403);
  expect(await results()).toEqual([]);
});

test.each([
  ["livekit", "This network does not let anybody reach"],
  ["no-certificate", "The server has no certificate that browsers accept"],
  ["nothing", "Nothing answers at media.example.com, from here or from our site."],
  ["website", "leads to something that is not LiveKit"],
  ["not-ready", "The server is just starting."],
])(
  "where a tester reaches nothing and our site sees %j, both read the cause",
  async (answers, sentence) => {
    await steerServer(domain, answers);
    const { path } = await link();
    const answer = await post(new Visitor(), path, failedResult("unreachable"));
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("outside")]);
    expect(await textOf(await owner.request(here()))).toContain(sentence);
  },
);

test("a proxied name is named where a test fails: it leads to another address than the server's", async () => {
  const place = { new_ipv4: "198.41.0.4", new_ipv6: "", of_version: 1 };
  await database
    .rpc("set_server_address", { owner: await userIdOf(email), target: id, ...place })
    .throwOnError();
  await steerServer(domain, "livekit");
  await steerInternet({ name: domain, A: ["104.16.0.1"] });
  const { path } = await link();
  await post(new Visitor(), path, failedResult("no-media"));
  expect(await textOf(await owner.request(here()))).toContain(
    `The name ${domain} leads to another address than the server's.`,
  );
  // Where it leads elsewhere nobody is asked.
  expect((await resolverRequests()).filter((each) => each.startsWith("/servers/"))).toEqual([]);
});

test("a test that got in asks our site nothing", async () => {
  await steerServer(domain, "livekit");
  const { path } = await link();
  await post(new Visitor(), path, goodResult);
  expect((await resolverRequests()).filter((each) => each.startsWith("/servers/"))).toEqual([]);
});

test("fifty results come by one link, and no more", async () => {
  await steerServer(domain, "livekit");
  const { path, secret, id: linkId } = await link();
  const rows = Array.from({ length: 50 }, () => ({
    ...{ deployment_id: id, link_id: linkId, result: goodResult },
  }));
  await database.from("connection_tests").insert(rows.slice(1)).throwOnError();
  const { data } = await database
    .rpc("keep_linked_connection_test", { hash: hashOfSecret(secret), found_result: goodResult })
    .throwOnError();
  expect(data).toBe("kept");
  expect((await post(new Visitor(), path, goodResult)).status).toBe(410);
  expect(await results()).toHaveLength(50);
});

test("one network opens and sends thirty times a minute at most", async () => {
  await steerServer(domain, "livekit");
  const { path } = await link();
  const stranger = new Visitor();
  let last: Response | undefined;
  // Twice the limit, because the minute that counts may end in between.
  for (let times = 0; times < 62 && last?.status !== 429; times++) {
    last = await (times % 2 ? post(stranger, path, {}) : stranger.request(path));
  }
  expect([last?.status, last?.headers.get("retry-after")]).toEqual([429, "60"]);
  expect((await new Visitor().request(path)).status).toBe(200);
});

test("a member makes a link for a day, which is shown once, and ends it; both are in the audit log", async () => {
  await steerServer(domain, "livekit");
  const made = await owner.post(`${here()}.data`, { intent: "link", label: " The bank " });
  expect(made.status).toBe(200);
  const secret = /"secret","([\w-]{22})"/.exec(await made.text())?.[1] ?? "none";
  const path = `/connection-test/${secret}`;
  expect((await new Visitor().request(path)).status).toBe(200);
  const { data: rows } = await database
    .from("connection_test_links")
    .select("*")
    .eq("deployment_id", id)
    .throwOnError();
  const [row] = rows;
  expect(row).toMatchObject({ label: "The bank", ended_at: null });
  expect(Date.parse(row?.expires_at ?? "") - Date.parse(row?.created_at ?? "")).toBe(86_400_000);
  expect(JSON.stringify(rows)).not.toContain(secret);
  const page = await (await owner.request(here())).text();
  expect(textOfHtml(page)).toContain("The bank");
  expect(page).not.toContain(secret);

  const form = { intent: "end-link", link: row?.id ?? "" };
  expect(await textOf(await owner.post(here(), form))).toContain("The link has ended.");
  expect((await new Visitor().request(path)).status).toBe(410);
  expect(await textOf(await owner.post(here(), form))).toContain("This link has ended already.");
  const { data: log } = await database
    .from("audit_log")
    .select("action, target, after")
    .eq("target_id", id)
    .like("action", "deployment.test-%")
    .order("id")
    .throwOnError();
  expect(log).toEqual(
    ["deployment.test-linked", "deployment.test-link-ended"].map((action) => ({
      ...{ action, target: "Production", after: { network: "The bank" } },
    })),
  );
});

test.each(["", " ", "x".repeat(81), "two\nlines"])("a link for %j is not made", async (label) => {
  const answer = await owner.post(here(), { intent: "link", label });
  expect(answer.status).toBe(400);
  expect(await textOf(answer)).toContain("Name the network in 1 to 80 characters");
});

test("twenty links of a deployment are open at most", async () => {
  for (let count = 0; count < 20; count++) await storeTestLink(id);
  const answer = await owner.post(here(), { intent: "link", label: "One more" });
  expect(answer.status).toBe(403);
  expect(await textOf(answer)).toContain("Twenty links");
});

test("a stranger ends no link and adds no result to a deployment of others", async () => {
  const { id: linkId } = await link();
  const stranger = await signedIn("customer.two@example.com");
  const other = await storeDeployment("customer.two@example.com", fullOptions());
  expect((await stranger.post(here(), { intent: "end-link", link: linkId })).status).toBe(404);
  const theirs = `/dashboard/deployments/${other}/connection-test`;
  expect((await stranger.post(theirs, { intent: "end-link", link: linkId })).status).toBe(404);
  const sent = { intent: "result", result: JSON.stringify(goodResult) };
  expect((await stranger.post(here(), sent)).status).toBe(404);
  expect(await results()).toEqual([]);
});

test("results and links are gone after 90 days", async () => {
  const { id: linkId } = await link();
  const { id: recent } = await link();
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await database
    .from("connection_tests")
    .insert([91, 89].map((days) => ({ deployment_id: id, ran_at: daysAgo(days), result: {} })))
    .throwOnError();
  await database
    .from("connection_test_links")
    .update({ expires_at: daysAgo(91) })
    .eq("id", linkId)
    .throwOnError();
  const { data } = await database
    .rpc("remove_expired_connection_tests", { at_most: 100 })
    .throwOnError();
  expect(data).toBe(2);
  expect(await results()).toHaveLength(1);
  const { data: links } = await database
    .from("connection_test_links")
    .select("id")
    .eq("deployment_id", id)
    .throwOnError();
  expect(links).toEqual([{ id: recent }]);
});
