import { beforeEach, expect, test } from "vitest";
import { database } from "../../support/database/database.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import { addMember, newWorkspace } from "../../support/workspaces/workspaces.ts";

const email = "customer.one@example.com";
const viewer = "customer.two@example.com";
const domain = "media.example.com";

let owner: Visitor;
let id: string;
const here = () => `/dashboard/deployments/${id}/rooms`;

beforeEach(async () => {
  await resetFakes();
  owner = await signedIn(email);
  id = await storeDeployment(email, fullOptions());
});

const room = "RM_k3KR8L8i5SJd";
const participant = "PA_RzM4p5wQ44Va";
const connections = ({ headers }: Response) =>
  headers
    .get("content-security-policy")
    ?.split("; ")
    .find((each) => each.startsWith("connect-src "));

const noted = async () => {
  const { data } = await database
    .from("audit_log")
    .select("action, target, before, after")
    .eq("target_id", id)
    .like("action", "room.%")
    .order("id")
    .throwOnError();
  return data;
};

test("the page connects to this site and the deployment's own server, and has no field that a form sends", async () => {
  const response = await owner.request(here());
  expect(response.status).toBe(200);
  expect(connections(response)).toBe(`connect-src 'self' https://${domain} wss://${domain}`);
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  const html = await response.text();
  // What is typed before or without our script is in no request.
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  expect(main.match(/<(?:input|textarea|select)[^>]*>/g)?.join("")).not.toContain("name=");
  const text = textOfHtml(html.replaceAll(/<wbr\/?>/g, ""));
  expect(text).toContain(`Who is in a call on ${domain} right now.`);
  expect(text).toContain("sudo livekit-deploy rooms-token");
  expect(text).toContain("Rooms are read by this browser, and that needs JavaScript.");
});

test("each act is noted with sids and counts before the browser may do it", async () => {
  const forms: Record<string, string>[] = [
    { intent: "end", room, participants: "14" },
    { intent: "remove", room, participant },
    { intent: "mute", room, participant, source: "microphone" },
  ];
  for (const form of forms) {
    const answer = await owner.post(`${here()}.data`, form);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringContaining('"isNoted",true'),
    ]);
  }
  const ofServer = { target: "Production", before: null };
  expect(await noted()).toEqual([
    { action: "room.end-ordered", ...ofServer, after: { room, participants: 14 } },
    { action: "room.removal-ordered", ...ofServer, after: { room, participant } },
    {
      ...{ action: "room.mute-ordered", ...ofServer },
      after: { room, participant, source: "microphone" },
    },
  ]);
});

test("a name of a customer's room or user is not noted, and the act is refused with it", async () => {
  const answer = await owner.post(`${here()}.data`, {
    ...{ intent: "remove", room, participant: "ada@example.com" },
  });
  expect(answer.status).toBe(400);
  expect(await noted()).toEqual([]);
});

test("a viewer's page connects nowhere and shows no field, and says who may; a stranger's is not there", async () => {
  const team = await newWorkspace(email, "okapi");
  await database.from("deployments").update({ workspace_id: team.id }).eq("id", id).throwOnError();
  const path = `/dashboard/w/okapi/deployments/${id}/rooms`;
  const reader = await signedIn(viewer);
  expect((await reader.request(path)).status).toBe(404);
  await addMember(team, viewer, "viewer");
  const response = await reader.request(path);
  expect(response.status).toBe(200);
  expect(connections(response)).not.toContain(domain);
  const html = await response.text();
  expect(html.slice(html.indexOf("<main"), html.indexOf("</main>"))).not.toContain("<textarea");
  expect(textOfHtml(html)).toContain("This is for owners, admins and operators.");
  const answer = await reader.post(`${path}.data`, { intent: "end", room, participants: "1" });
  expect(answer.status).toBe(403);
  expect(await noted()).toEqual([]);
});
