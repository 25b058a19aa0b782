import { googleTools } from "../../../app/content/google-tools.ts";
import { newTokenOf } from "../agents/agent.ts";
import { pressLink } from "../auth/account.ts";
import { mailsTo } from "../auth/inbox.ts";
import { sessionCookieName } from "../auth/session-cookie.ts";
import { buy } from "../billing/hosted-pages.ts";
import { onlySubscription } from "../billing/plan-change.ts";
import { database, userIdOf } from "../database/database.ts";
import { fullOptions, storeDeployment } from "../deployments/deployments.ts";
import { connectGoogle } from "../google/google-account.ts";
import { connectMachine, openIncident } from "../servers/connect-server.ts";
import { pollUntil } from "../site/poll.ts";
import { Visitor } from "../site/visitor.ts";
import type { HostileRequest } from "./hostile-requests.ts";

const password = "four quiet servers hum";
/** A sign-in takes longer than a hundred hostile requests. */
const maxRenewals = 8;

/** A signed-in person whom fuzzing may sign out, and whose deployment it may delete. */
export class FuzzUser {
  readonly #email: string;
  readonly #visitor = new Visitor();
  #kept = crypto.randomUUID() as string;
  #spare = crypto.randomUUID() as string;
  #deleted = crypto.randomUUID() as string;
  #subscription = "";
  #server = "";
  #incident = "";
  #link = "";
  #renewals = 0;
  #renewal: Promise<void> | undefined;

  constructor(email: string) {
    this.#email = email;
  }

  /** With a plan, a deployment and a connection to every Google tool that has one. */
  async arriveWithAll(): Promise<void> {
    await this.#visitor.signInWithGoogle(this.#email);
    this.#mustBeSignedIn();
    await buy(this.#visitor, "pro");
    this.#subscription = (await onlySubscription()).id;
    this.#kept = await storeDeployment(this.#email, fullOptions());
    await this.replaceSpare();
    await this.replaceDeleted();
    for (const { id, tabs } of googleTools) {
      await connectGoogle(this.#visitor, { tool: id, tab: tabs[0] ?? "", email: this.#email });
    }
  }

  /** Connects a server, and opens an incident of it, where their requests go: each site has fleets of its own. */
  async connectServer(siteUrl: string): Promise<void> {
    const owner = this.#visitor.twin(siteUrl);
    const identity = { instance: "i-fuzz", certificate: "rtc.example.com" };
    const machine = await connectMachine({ owner, deployment: this.#kept }, identity);
    this.#server = machine.server;
    this.#incident = await openIncident(owner, machine);
    const linkIn = (text = "") => /\/acknowledge\?link=([\w.~-]+)/.exec(text)?.[1];
    const mails = await pollUntil(
      () => mailsTo(this.#email),
      (all) => all.some(({ text }) => linkIn(text)),
    );
    this.#link = mails.map(({ text }) => linkIn(text)).find(Boolean) ?? "";
  }

  /** With a password and nothing else. */
  async arriveByMail(): Promise<void> {
    await this.#visitor.post("/signin", { intent: "sign_up", email: this.#email, password });
    await pressLink(this.#email, "Confirm your e-mail address", this.#visitor);
    this.#mustBeSignedIn();
  }

  #mustBeSignedIn(): void {
    const names = [...this.#visitor.cookies.keys()];
    if (!names.some((name) => name.startsWith(sessionCookieName))) {
      throw new Error(`${this.#email} did not arrive.`);
    }
  }

  /** A token for an agent of theirs. */
  token(): Promise<string> {
    return newTokenOf(this.#visitor);
  }

  /** Their deployment: the one that stays, or for what deletes one another. */
  deployment(which: "kept" | "spare"): string {
    return which === "kept" ? this.#kept : this.#spare;
  }

  /** One that they deleted and may restore. */
  get deletedDeployment(): string {
    return this.#deleted;
  }

  /** The ids of their server and of its incident; empty before `connectServer`. */
  get server(): string {
    return this.#server;
  }

  get incident(): string {
    return this.#incident;
  }

  /** What the link of the mail about that incident bears; empty before `connectServer`. */
  get link(): string {
    return this.#link;
  }

  /** The id of their subscription; empty without a plan. */
  get subscription(): string {
    return this.#subscription;
  }

  /** The Cookie header of their browser, for a request that may bend the session. */
  cookiesFor({
    session,
    bend,
    cookies,
  }: Pick<HostileRequest, "session" | "bend" | "cookies">): string {
    const sessionCookies = session === "none" ? [] : [...this.#visitor.cookies];
    const sent = sessionCookies.map(([name, value]): [string, string] =>
      session === "bent" && name.startsWith(sessionCookieName)
        ? [name, bent(value, bend)]
        : [name, value],
    );
    return [...sent, ...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Signs in again after an answer that ended the session, but not without end. */
  renew(): Promise<void> {
    if (this.#renewals === maxRenewals) return Promise.resolve();
    this.#renewal ??= this.#signInAgain().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #signInAgain(): Promise<void> {
    this.#renewals += 1;
    await this.#visitor.post("/signin", { intent: "sign_in", email: this.#email, password });
  }

  /** Stores another deployment, after an answer that deleted the spare one. */
  async replaceSpare(): Promise<void> {
    this.#spare = await storeDeployment(this.#email, fullOptions());
  }

  /** Stores and deletes another deployment, after an answer that restored the deleted one. */
  async replaceDeleted(): Promise<void> {
    const target = await storeDeployment(this.#email, fullOptions());
    const owner = await userIdOf(this.#email);
    await database.rpc("delete_deployment", { owner, target }).throwOnError();
    this.#deleted = target;
  }
}

const bends: readonly ((value: string, at: number) => string)[] = [
  (value, at) => value.slice(0, at),
  (value, at) => `${value.slice(0, at)}A${value.slice(at + 1)}`,
  (value, at) => `${value.slice(0, at)}%${value.slice(at)}`,
  (value, at) => value.slice(at) + value.slice(0, at),
];

function bent(value: string, bend: number): string {
  const way = bends[bend % bends.length] ?? ((same: string) => same);
  return way(value, bend % value.length);
}
