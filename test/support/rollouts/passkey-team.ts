import { createHash, createPublicKey, verify } from "node:crypto";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { storePlan } from "../billing/store-plan.ts";
import { desktop } from "../browser/axe.ts";
import { type OpenPage, openPage } from "../browser/browser.ts";
import { fullOptions, storeDeployment } from "../deployments/deployments.ts";
import { newcomer } from "../provider-faults/users.ts";
import { enterAs, see } from "../screens/screen.ts";
import { askForToken } from "../servers/ask-for-token.ts";
import { Machine, type MachineAnswer, type Servers } from "../servers/machine.ts";
import { machine as said } from "../servers/report-lines.ts";
import { serversAt } from "../servers/servers-at.ts";
import { portBase, startOwnWorker } from "../site/own-site.ts";

const sha256 = (content: Buffer | string) => createHash("sha256").update(content).digest();

/** A device with passkeys that checks who its person is, in the browser of this page. */
async function withAuthenticator({ page }: OpenPage): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}

/** Somebody alone in a workspace with one deployment, at a browser with a device that has passkeys, and their site. */
export async function passkeyTeam(email: string) {
  await using started = new AsyncDisposableStack();
  // Passkeys are bound to a name: a browser makes none for the address of this machine.
  let siteUrl = "";
  started.use(
    await startOwnWorker((url) => {
      siteUrl = url.replace("127.0.0.1", "localhost");
      return exampleVariables({ siteUrl, portBase });
    }),
  );
  const { browser: owner, userId } = await newcomer(siteUrl, email);
  await owner.request("/dashboard");
  await storePlan(email, "pro");
  const deployment = await storeDeployment(email, fullOptions());
  const person = started.use(
    await openPage({ siteUrl, theme: "light", viewport: desktop, reducedMotion: true }),
  );
  await withAuthenticator(person);
  await enterAs(person, owner, siteUrl);
  const open = started.move();
  return {
    ...{ siteUrl, userId, deployment, person },
    /** On the page of approvers. */
    async addPasskey(name: string): Promise<void> {
      await person.page.getByLabel("Name of the passkey").fill(name);
      await person.page.getByRole("button", { name: "Add a passkey" }).click();
      await see(person, "The passkey is added. Its fingerprint is");
    },
    /** A machine that learns the team's one passkey at its enrolment; `enrolled` is what that was answered. */
    async connectMachine() {
      const machine = new PasskeyMachine(serversAt(siteUrl), deployment);
      const { token } = await askForToken(owner, `/dashboard/deployments/${deployment}`);
      return { machine, enrolled: await machine.enrol(token) };
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** A machine that takes up the versions which one passkey approved. */
class PasskeyMachine extends Machine {
  readonly #deployment: string;
  #fingerprint = "";
  #key = "";
  #reports = 0;

  constructor(worker: Servers, deployment: string) {
    super(worker, "i-1");
    this.#deployment = deployment;
  }

  override async enrol(token: string): Promise<MachineAnswer> {
    const answer = await super.enrol(token);
    [this.#fingerprint = "", , , this.#key = ""] = answer.lines["approver-1"]?.split(" ") ?? [];
    return answer;
  }

  /** It says which version it runs, that it is well, and whose approval it takes. */
  reportVersion(version: number): Promise<MachineAnswer> {
    this.#reports += 1;
    return this.report(
      this.#reports,
      ["approvals\t1", `approver\t${this.#fingerprint}`, "update-windows"],
      {
        "made-from": `${this.#deployment}\t${version}\t${said.version}`,
      },
    );
  }

  /** What it would verify of an order: that the passkey that it learned signed the manifest. */
  verifies({ lines }: MachineAnswer): boolean {
    const manifest = Buffer.from(lines["rollout-manifest"] ?? "", "base64");
    const [, data = "", client = "", signature = ""] =
      lines["rollout-assertion-1"]?.split(" ") ?? [];
    const clientData = Buffer.from(client, "base64url");
    const { challenge } = JSON.parse(clientData.toString()) as { challenge: string };
    const content = Buffer.concat([Buffer.from(data, "base64url"), sha256(clientData)]);
    const key = createPublicKey({
      ...{ key: Buffer.from(this.#key, "base64"), format: "der", type: "spki" },
    });
    return (
      challenge === sha256(manifest).toString("base64url") &&
      verify("sha256", content, key, Buffer.from(signature, "base64url"))
    );
  }
}
