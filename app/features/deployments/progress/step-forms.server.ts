import { data, redirect } from "react-router";
import type { PrincipalScope } from "~/features/auth/session/session.server";
import { hasFamily } from "../bundle/options/derived-options.ts";
import type { RungLine } from "../checks/rung-line.ts";
import { outdatedChoices } from "../download/downloads.server";
import { deploymentsUnreadable } from "../record/deployments.server";
import {
  type DeploymentRefusal,
  saveDeployment,
  setAppliedVersion,
  setServerAddress,
  setTick,
} from "../record/save-deployments.server";
import { type Deployment, progressSteps } from "../stored-deployment";
import { checkServer } from "./look.server";
import type { CheckAnswer, TypedAddress } from "./look-words";
import { type Family, publicAddress } from "./public-address";
import { progressOf, type StepsView } from "./steps-view.server";

/** How soon a page may look again, in seconds. */
const checkAgainSeconds = 30;

/** What the page shows after a form of the steps that leads to no other page. */
export type StepOutcome = {
  message?: string;
  look?: CheckAnswer;
  typed?: TypedAddress;
  /** Made by the form beside the steps that connects a server. */
  token?: { token: string; ends: string; machines: number };
  /** User data that holds a token, made by a form there too. */
  userData?: { text: string; ends: string };
  /** The form beside it ended all tokens. */
  areTokensRevoked?: true;
  /** What a check of its server from outside came to. */
  preflight?: { at: string; lines: RungLine[] };
  /** What the first was sent, where no token was made. */
  machines?: { text: string; error?: string };
};

type Scope = PrincipalScope & {
  deployment: Deployment;
  form: URLSearchParams;
  /** The page with the form. */
  back: string;
};

function refused({ status, message }: Pick<DeploymentRefusal, "status" | "message">) {
  return data<StepOutcome>({ message }, { status });
}

/** The version that the page with the form showed. Another one may have been saved since. */
function visibleVersion({ version }: Deployment, form: URLSearchParams): number {
  const visible = Number(form.get("version"));
  return Number.isInteger(visible) && visible >= 1 && visible <= version ? visible : version;
}

/** The version that a machine was made from: the one that was downloaded here, where we saw that, or the shown one. */
function madeFrom({ ticks: { files }, stored }: Deployment, pageVersion: number): number {
  // A zip that is made in the browser is not seen.
  const isSeen = "options" in stored && stored.options.secrets !== "browser";
  return isSeen && files?.how === "site" ? files.version : pageVersion;
}

/**
 * Marks a step as done or not, as the person says, or as the page has seen: a download has ended. The doctor passes on a
 * server that runs this version.
 */
export async function answerProgress({ deployment, form, back, ...scope }: Scope) {
  const { context, principal } = scope;
  const step = progressSteps.find((each) => each === form.get("step"));
  if (!step) return refused({ status: 400, message: "There is no such step." });
  const done = form.get("done") === "yes";
  const pageVersion = visibleVersion(deployment, form);
  const version = step === "machine" ? madeFrom(deployment, pageVersion) : pageVersion;
  const of = { id: deployment.id, version };
  const isSeen = step === "files" && form.get("seen") === "yes";
  const how = isSeen ? "site" : "hand";
  const outcome = await setTick(context, principal.user.id, of, step, how, done);
  if (!outcome.ok) return refused(outcome);
  if (isSeen) return data<StepOutcome>({});
  if (done && step === "doctor") {
    const applied = await setAppliedVersion(scope, deployment.id, version);
    if (!applied.ok) return refused(applied);
  }
  return redirect(back, 303);
}

/**
 * Keeps the pasted address of the server; every family that its records want. A server that is new runs the version
 * that it was made from.
 */
export async function answerAddress({ deployment, form, back, ...scope }: Scope) {
  if (!("options" in deployment.stored)) return refused({ status: 409, message: outdatedChoices });
  const { options } = deployment.stored;
  const families = (["ipv4", "ipv6"] as const).filter((family) => hasFamily(options, family));
  const read = families.map((family) => ({
    family,
    typed: form.get(family) ?? "",
    ...publicAddress(form.get(family) ?? "", family),
  }));
  if (read.some((each) => "refusal" in each)) {
    const typed: TypedAddress = {};
    for (const each of read) {
      typed[each.family] = {
        text: each.typed,
        ...("refusal" in each ? { error: each.refusal } : {}),
      };
    }
    const message = "The address was not saved. Please look at the marked field.";
    return data<StepOutcome>({ message, typed }, { status: 400 });
  }
  const address: Partial<Record<Family, string>> = {};
  for (const each of read) if ("address" in each) address[each.family] = each.address;
  const [progress] =
    (await progressOf(scope.session.supabase, [deployment], scope.context, new Map())) ?? [];
  if (!progress) return refused({ status: 503, message: deploymentsUnreadable });
  const { id, address: former } = deployment;
  const version = madeFrom(deployment, visibleVersion(deployment, form));
  const outcome = await setServerAddress(scope, { id, version }, address);
  if (!outcome.ok) return refused(outcome);
  const isOther = former && families.some((family) => former[family] !== address[family]);
  if (isOther || !progress.states.machine.done) {
    const applied = await setAppliedVersion(scope, id, version);
    // A version that is no longer kept cannot be noted.
    if (!applied.ok && applied.status !== 404) return refused(applied);
  }
  return redirect(back, 303);
}

/** Saves that the server makes its secrets itself. */
export async function answerSecretsOnServer({ deployment, back, ...scope }: Omit<Scope, "form">) {
  const { stored, name, version } = deployment;
  if (!("options" in stored)) return refused({ status: 409, message: outdatedChoices });
  const outcome = await saveDeployment(scope, deployment, {
    ...{ name, expectedVersion: version },
    options: { ...stored.options, secrets: "server" },
  });
  return outcome.ok ? redirect(back, 303) : refused(outcome);
}

/** Looks at the records and the server, and ticks what is seen. A tick of ours goes when its records are wrong. */
export async function answerLook({
  context,
  session,
  principal,
  deployment,
  mayTick,
}: Scope & { mayTick: boolean }) {
  const [progress] = (await progressOf(session.supabase, [deployment], context, new Map())) ?? [];
  if (!progress) return refused({ status: 503, message: deploymentsUnreadable });
  const { stored } = deployment;
  const { view, states } = progress;
  if (!("options" in stored) || !view?.address) {
    const message = "Paste the server's address first: then its records can be looked up.";
    return refused({ status: 400, message });
  }
  const seen = await checkServer(context, stored.options, view.address);
  const tick = (step: "dns" | "answer", done: boolean) =>
    setTick(context, principal.user.id, deployment, step, "site", done);
  const isRight = seen.records.every(({ state }) => state === "right");
  const isWrong = seen.records.some(({ state }) => state === "missing" || state === "elsewhere");
  const changes = !mayTick
    ? []
    : [
        ...(isRight && !states.dns.done ? [tick("dns", true)] : []),
        ...(isWrong && isOurs(states.dns) ? [tick("dns", false)] : []),
        ...(seen.answer === "livekit" && !states.answer.done ? [tick("answer", true)] : []),
      ];
  const failed = (await Promise.all(changes)).find((outcome) => !outcome.ok);
  if (failed) return refused(failed);
  const check: CheckAnswer = {
    ...seen,
    at: new Date().toISOString(),
    againIn: checkAgainSeconds,
    hasTicked: changes.length > 0,
  };
  return data<StepOutcome>({ look: check });
}

function isOurs(state: StepsView["states"]["dns"]): boolean {
  return state.done && state.how === "site";
}
