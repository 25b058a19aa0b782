import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { layoutMachine } from "../../support/servers/layouts/layout-machine.ts";
import { layouts } from "../../support/servers/layouts/layouts.ts";
import { Machine } from "../../support/servers/machine.ts";
import { serverCustomer, updateFleets } from "../../support/servers/server-customer.ts";
import { sessionLines, wholeCall } from "../../support/servers/session-lines.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import { mayDo, roles } from "../../support/workspaces/walk/role-table.ts";
import { addMember, personalWorkspace, removeMember } from "../../support/workspaces/workspaces.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
beforeEach(resetFakes);

const page = "/dashboard/servers/connect";

/** The servers Worker at an address that a machine's program can call. */
async function startServersWorker() {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = "", "content-encoding": encoding = "" } = request.headers;
    const agent = request.headers["user-agent"] ?? "";
    const answer = await worker.askServers(request.url ?? "", {
      method: request.method ?? "",
      headers: {
        authorization,
        "user-agent": agent,
        ...(encoding ? { "content-encoding": String(encoding) } : {}),
      },
      body: Buffer.concat(chunks),
    });
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function tokenOf(
  { browser }: Awaited<ReturnType<typeof serverCustomer>>,
  name: string,
): Promise<{ status: number; text: string; token: string }> {
  const answer = await browser.post(page, { intent: "connect", name });
  const text = await answer.text();
  return { status: answer.status, text, token: /lkd_e_\w{90,}/.exec(text)?.[0] ?? "" };
}

test("the page's command fetches the script that it shows, which connects a machine without a deployment, seen on every page and gone after remove", async () => {
  const customer = await serverCustomer(worker, "pro");
  const { browser, workspace } = customer;
  const made = await tokenOf(customer, "sfu-eu-1");
  expect(made.status).toBe(200);
  // In the command, and beside it.
  const hashes = textOfHtml(made.text).match(/\b[0-9a-f]{64}\b/g) ?? [];
  const [sha256] = hashes;
  expect(hashes.filter((each) => each === sha256).length).toBeGreaterThan(1);
  const { status, body } = await worker.askServers("/v1/connect.sh", {
    method: "GET",
    headers: {},
  });
  expect(status).toBe(200);
  expect(createHash("sha256").update(body).digest("hex")).toBe(sha256);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000);

  await using servers = await startServersWorker();
  const layout = layouts["livekit/deploy, first generation"]?.({ livekit: 9, metrics: 9, tls: 1 });
  if (!layout) throw new Error("There is no such layout.");
  using machine = layoutMachine(layout);
  const before = machine.tree();
  expect(await machine.run("dash", [servers.url], { input: `${made.token}\n` })).toMatchObject({
    status: 0,
  });

  const found = "LiveKit in Docker Compose at /opt/livekit/docker-compose.yaml, behind Caddy";
  const listed = await textAt(browser, page);
  expect(listed).toContain("sfu-eu-1");
  expect(listed).toContain(`Found: ${found}`);
  const [server] = (await (await worker.fleets()).overview(workspace)).servers;
  expect(server).toMatchObject({ name: "sfu-eu-1", state: { code: "degraded" } });
  expect(server?.deployment).toBeUndefined();
  const shown = textOfHtml(
    (await (await browser.request(`/dashboard/servers/${server?.id}`)).text()).replaceAll(
      /<wbr\s*\/?>/g,
      "",
    ),
  );
  expect(shown).toContain(found);
  expect(shown).toContain("LiveKit does not answer: livekit");
  expect(shown).toContain(
    "sudo docker compose -f /opt/livekit/docker-compose.yaml logs --tail 100 livekit",
  );
  expect(shown).toMatch(/prometheus:\s+port: 6789/);
  // What gives its sessions is a program of its own, with its hash in the command.
  const program = await worker.askServers("/v1/livekit-sessions.py", {
    method: "GET",
    headers: {},
  });
  const programHash = createHash("sha256").update(program.body).digest("hex");
  expect(shown).toContain(programHash);
  expect(shown).toContain("sudo python3 livekit-sessions.py install");
  const sessionsPage = await textAt(browser, `/dashboard/servers/${server?.id}/sessions`);
  expect(sessionsPage).toContain("They need what the page of this server shows: What is missing");
  expect(sessionsPage).not.toContain("livekit-sessions find");
  expect(shown).toContain("sudo chmod o-r /opt/livekit/livekit.yaml");
  expect(shown).not.toContain("sudo livekit-deploy");
  expect(shown).toContain("Judged here by its last report:");
  expect(shown).not.toContain("doctor of this server");
  expect(shown).not.toContain("/dashboard/deployments/");
  expect(await textAt(browser, "/dashboard")).toContain("sfu-eu-1");
  const incidents = await (await browser.request("/dashboard/incidents")).text();
  expect(incidents).toContain("sfu-eu-1");
  const [, incident = ""] = /\/incidents\/([\w-]{36})"/.exec(incidents) ?? [];
  const incidentPage = await textAt(browser, `/dashboard/incidents/${incident}`);
  expect(incidentPage).not.toContain("sudo livekit-deploy");
  expect(await (await browser.request("/dashboard/incidents.csv?of=uptime")).text()).toContain(
    "sfu-eu-1,,",
  );

  await updateFleets(worker);
  const saved = await runSql(
    `select name, deployment_id from public.servers where workspace_id = '${workspace}'`,
  );
  expect(saved).toEqual([{ name: "sfu-eu-1", deployment_id: null }]);

  expect(await machine.run("busybox sh", ["remove"], { installed: true })).toMatchObject({
    status: 0,
  });
  expect(machine.tree()).toEqual(before);
  const [after] = (await (await worker.fleets()).overview(workspace)).servers;
  expect(after?.state.code).toBe("retired");
  expect(await textAt(browser, page)).toContain("None yet.");
});

test("a token of that page connects one machine, is noted, and ends when it is revoked", async () => {
  const customer = await serverCustomer(worker, "pro");
  const { browser } = customer;
  const refused = await tokenOf(customer, "not a name");
  expect(refused).toMatchObject({ status: 400, token: "" });
  expect(refused.text).toContain("Use letters, digits, dots and hyphens");
  expect(refused.text).toContain('value="not a name"');
  const { token } = await tokenOf(customer, "sfu-1");
  expect(
    await runSql(
      "select target, after from public.audit_log where action = 'server.token-made' order by id",
    ),
  ).toEqual([{ target: "sfu-1", after: { machines: 1 } }]);
  // The token of a deployment is another's, and stays.
  const ofDeployment = (await customer.askForToken()).token;
  const revoked = await browser.post(page, { intent: "revoke" });
  expect(await revoked.text()).toContain("All tokens of this page are revoked.");
  expect((await new Machine(worker, "i-1").enrol(token)).status).toBe(410);
  expect((await new Machine(worker, "i-2").enrol(ofDeployment)).status).toBe(200);
  const other = await tokenOf(customer, "sfu-2");
  expect((await new Machine(worker, "i-3").enrol(other.token)).status).toBe(200);
  expect((await new Machine(worker, "i-4").enrol(other.token)).status).toBe(410);
  const names = (await (await worker.fleets()).overview(customer.workspace)).servers;
  expect(names.map(({ name }) => name)).toContain("sfu-2");
});

test("a refusal names what its caller has: a command of the bundle, or the script of a LiveKit that was connected as it is", async () => {
  const say = async (agent: string) => {
    const answer = await worker.askServers("/v1/report", {
      method: "POST",
      headers: { authorization: "Bearer lkd_s_1", "user-agent": agent },
      body: "",
    });
    expect(answer.status).toBe(401);
    return answer.body.toString();
  };
  expect(await say("curl/8.5.0")).toContain("Connect again: sudo livekit-deploy connect");
  const connected = await say("livekit-connect");
  expect(connected).toContain("connect this LiveKit anew with the console's command");
  expect(connected).not.toContain("livekit-deploy connect");
});

test("the page's manifest is the one that clusters fetch, with the hash that its command checks", async () => {
  const customer = await serverCustomer(worker, "pro");
  const made = await tokenOf(customer, "cluster-1");
  const { status, body } = await worker.askServers("/v1/connect.yaml", {
    method: "GET",
    headers: {},
  });
  expect(status).toBe(200);
  const shown = textOfHtml(made.text.replaceAll(/<wbr\s*\/?>/g, ""))
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
  expect(shown).toContain(
    `echo "${createHash("sha256").update(body).digest("hex")} livekit-connect.yaml" | sha256sum -c && kubectl apply -f livekit-connect.yaml`,
  );
  // The token is in no command, where a shell would remember it.
  const [, secret = ""] = /(kubectl create secret .*?token=\/dev\/stdin)/.exec(shown) ?? [];
  expect(secret).toContain("--from-literal=console=");
  expect(secret).not.toContain("lkd_");
});

test("the page of a server that was connected as it is leads those who may make deployments to moving in, while it is connected", async () => {
  const customer = await serverCustomer(worker, "pro");
  const machine = new Machine(worker, "i-1");
  const { token } = await tokenOf(customer, "sfu-1");
  expect((await machine.enrol(token)).status).toBe(200);
  const layout = "layout\tcompose\t/srv/rtc/compose.yaml\t/srv/rtc/livekit.yaml\tsfu\t\tdocker\t";
  expect((await machine.report(1, [layout])).status).toBe(200);
  const linkOf = async (visitor: Visitor, base: string) => {
    const answer = await visitor.request(`${base}/servers/${machine.server}`);
    const html = await answer.text();
    expect(html).toContain("/srv/rtc/");
    return /<a [^>]*href="([^"]+)"[^>]*>Make it a deployment<\/a>/.exec(html)?.[1];
  };
  const workspace = await personalWorkspace(customer.email);
  const base = `/dashboard/w/${workspace.slug}`;
  const member = await signedIn("customer.two@example.com", worker.url);
  for (const role of roles) {
    await removeMember(workspace, "customer.two@example.com");
    await addMember(workspace, "customer.two@example.com", role);
    expect
      .soft(await linkOf(member.twin(), base), role)
      .toBe(mayDo(role, "describe") ? `${base}/deployments/move-in` : undefined);
  }
  expect(await linkOf(customer.browser, base)).toBe(`${base}/deployments/move-in`);
  expect((await machine.disconnect()).status).toBe(200);
  expect(await linkOf(customer.browser, base)).toBeUndefined();
});

test("sessions of a server that was connected as it is: what they need, that they are taken, and by which command a hash is found", async () => {
  const customer = await serverCustomer(worker, "pro");
  const machine = new Machine(worker, "i-1");
  const { token } = await tokenOf(customer, "sfu-1");
  expect((await machine.enrol(token)).status).toBe(200);
  const layout = "layout\tcompose\t/srv/rtc/compose.yaml\t/srv/rtc/livekit.yaml\tsfu\t\tdocker\t";
  const shownAfter = async (seq: number, ...more: string[]) => {
    expect((await machine.report(seq, [layout, ...more])).status).toBe(200);
    return textAt(customer.browser, `/dashboard/servers/${machine.server}/sessions`);
  };
  expect(await shownAfter(1)).toContain(
    "in containers without root, sends none. What sessions need",
  );
  const waits = "They need what the page of this server shows: What is missing";
  expect(await shownAfter(2, "fact\tsessions\tno")).toContain(waits);
  expect(await shownAfter(3, "fact\tsessions\t127.0.0.1:6787")).toContain(waits);
  expect(await shownAfter(4, "fact\tsessions\tyes")).toContain("The next call appears here.");
  const withSessions = await shownAfter(5, "fact\tsessions\tyes", ...sessionLines(wholeCall));
  expect(withSessions).toContain("sudo /opt/livekit-sessions/livekit-sessions find NAME");
  expect(withSessions).not.toContain("No session has been reported yet");
});

test("without a plan no command is made, and the page says what to do", async () => {
  const customer = await serverCustomer(worker);
  const none = await tokenOf(customer, "sfu-1");
  expect(none).toMatchObject({ status: 403, token: "" });
  expect(none.text).toContain("Choose one under Billing first.");
});
