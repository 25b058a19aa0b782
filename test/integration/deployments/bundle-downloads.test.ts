import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import {
  fullOptions,
  storeDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { variable } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const options = fullOptions();
const owner = new Visitor();
const stranger = new Visitor();
let id = "";

beforeAll(async () => {
  await resetFakes();
  await owner.signInWithGoogle(email);
  await stranger.signInWithGoogle("customer.two@example.com");
  await storePlan(email, "pro");
  id = await storeDeployment(email, options);
  await storeVersion(email, id, { ...options, ingress: "none" }, 1);
});

const base = () => `/dashboard/deployments/${id}`;
const connectionOf = (version: number) => ({
  url: variable("SERVERS_URL"),
  version: { deployment: id, number: version },
});

/** What the page shows of a file, as its text. */
function preview(html: string): string {
  const code = /<code>([\s\S]*?)<\/code>/.exec(html.slice(html.indexOf('id="files"')))?.[1] ?? "";
  return code
    .replace(/<!--.*?-->/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&amp;", "&");
}

test("each file is the same alone, in the zip and in the preview, byte for byte", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bundle-"));
  try {
    const response = await owner.request(`${base()}/bundle.zip?version=1`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/zip");
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="media.example.com-v1.zip"',
    );
    const zip = join(folder, "bundle.zip");
    writeFileSync(zip, Buffer.from(await response.arrayBuffer()));
    execFileSync("unzip", ["-q", zip, "-d", folder]);

    const { files } = bundle(options, undefined, connectionOf(1));
    const listed = execFileSync("unzip", ["-Z1", zip], { encoding: "utf8" }).trim().split("\n");
    expect(listed.toSorted()).toEqual(files.map(({ path }) => `livekit/${path}`).toSorted());
    for (const { path, content } of sample(files, 8)) {
      const alone = await owner.request(`${base()}/files/${path}?version=1`);
      expect(alone.status, path).toBe(200);
      expect(await alone.text(), path).toBe(content);
    }
    for (const { path, content, installed } of files) {
      expect(readFileSync(join(folder, "livekit", path), "utf8"), path).toBe(content);
      const mode = statSync(join(folder, "livekit", path)).mode & 0o777;
      const executable = path.endsWith(".sh") || installed?.mode === "0755";
      expect(mode, path).toBe(executable ? 0o755 : 0o644);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a zip holds a token of the console where its form asks for one, each time another", async () => {
  const tokenIn = async (fields: Record<string, string>) => {
    const folder = mkdtempSync(join(tmpdir(), "bundle-"));
    try {
      const response = await owner.post(`${base()}/bundle.zip`, { version: "1", ...fields });
      expect(response.status).toBe(200);
      const zip = join(folder, "bundle.zip");
      writeFileSync(zip, Buffer.from(await response.arrayBuffer()));
      execFileSync("unzip", ["-q", zip, "-d", folder]);
      const listed = execFileSync("unzip", ["-Z1", zip], { encoding: "utf8" }).split("\n");
      if (!listed.includes("livekit/enrolment-token")) return;
      return readFileSync(join(folder, "livekit", "enrolment-token"), "utf8");
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  expect(await tokenIn({})).toBeUndefined();
  const first = await tokenIn({ connect: "yes" });
  expect(first).toMatch(/^lkd_e_\w+\n$/);
  expect(await tokenIn({ connect: "yes" })).not.toBe(first);
});

testInProof("the preview of the current version shows the very file", async () => {
  const { files } = bundle({ ...options, ingress: "none" }, undefined, connectionOf(2));
  for (const { path, content } of files.filter((_, at) => at % 5 === 0)) {
    const page = await owner.request(`${base()}?${new URLSearchParams({ file: path })}`);
    expect(page.status).toBe(200);
    expect(preview(await page.text()), path).toBe(content);
  }
});

testInProof("a file says how it is to be taken, and is never kept by a cache", async () => {
  const shown = await owner.request(`${base()}/files/livekit.yaml`);
  const taken = await owner.request(`${base()}/files/livekit.yaml?download`);
  expect(shown.headers.get("content-disposition")).toBe('inline; filename="livekit.yaml"');
  expect(taken.headers.get("content-disposition")).toBe('attachment; filename="livekit.yaml"');
  for (const { headers } of [shown, taken]) {
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("private, no-store");
  }
});

testInProof("the differences between two versions name the files that came and went", async () => {
  const html = await (await owner.request(`${base()}/versions?from=1&to=2`)).text();
  expect(html).toContain("ingress.yaml");
  expect(html).toContain("removed");
  const none = await (await owner.request(`${base()}/versions?from=2&to=2`)).text();
  expect(none).toContain("This is one version.");
});

test("a stranger can neither tick nor restore", async () => {
  const tick = await stranger.post(base(), { intent: "progress", step: "dns", done: "yes" });
  expect(tick.status).toBe(404);
  expect((await stranger.post(`${base()}/versions`, { restore: "1" })).status).toBe(404);
});

testInProof.each(["0", "3", "1e1", "99999999999"])(
  "there is no version %s of two",
  async (version) => {
    const query = new URLSearchParams({ version });
    expect((await owner.request(`${base()}/bundle.zip?${query}`)).status).toBe(404);
    expect((await owner.request(`${base()}/files/livekit.yaml?${query}`)).status).toBe(404);
    const compared = new URLSearchParams({ from: version, to: "1" });
    expect((await owner.request(`${base()}/versions?${compared}`)).status).toBe(404);
  },
);

testInProof("there is no file that the bundle does not have", async () => {
  expect((await owner.request(`${base()}/files/passwd`)).status).toBe(404);
  expect((await owner.request(`${base()}/files/..%2Flivekit.yaml`)).status).toBe(404);
});

testInProof("signed out, a download leads to signing in", async () => {
  const answer = await new Visitor().request(`${base()}/bundle.zip`);
  expect(answer.status).toBe(302);
  expect(answer.headers.get("location")).toMatch(/^\/signin\?/);
});

test("what a browser's secrets go into is not handed out by the server", async () => {
  const mine = await storeDeployment(email, { ...options, secrets: "browser" }, "Mine alone");
  const zip = await owner.request(`/dashboard/deployments/${mine}/bundle.zip`);
  expect(zip.status).toBe(409);
  expect(await zip.text()).toContain("made in your browser");
  const open = await owner.request(`/dashboard/deployments/${mine}/files/livekit.yaml`);
  expect(open.status).toBe(200);
  const page = await (await owner.request(`/dashboard/deployments/${mine}`)).text();
  expect(page).toContain("Let the machine make them instead");
  expect(page).not.toContain("Download the files");
});

testInProof("the checklist remembers what was ticked, and what was taken back", async () => {
  const ticked = await owner.post(base(), { intent: "progress", step: "dns", done: "yes" });
  expect(ticked.status).toBe(303);
  const after = await (await owner.request(base())).text();
  expect(after).toContain("Mark as not done: DNS set");
  expect(after).toContain("Mark as done: VM created");
  await owner.post(base(), { intent: "progress", step: "dns", done: "no" });
  expect(await (await owner.request(base())).text()).toContain("Mark as done: DNS set");
  const unknown = await owner.post(base(), { intent: "progress", step: "other", done: "yes" });
  expect(unknown.status).toBe(400);
});
