import { data } from "react-router";
import type { PrincipalScope } from "~/features/auth/session/session.server";
import type { Deployment } from "../stored-deployment";
import { endTestLink, makeTestLink } from "./links.server";
import {
  notAResult,
  type ResultAnswer,
  readResult,
  resultNotSaved,
  saveMemberResult,
  withOutside,
} from "./results.server";

export type TestIntent = "result" | "link" | "end-link";

/** What the page shows after one of its forms. */
export type TestAnswer = ResultAnswer & {
  intent?: TestIntent | undefined;
  /** Of a link that was made: what it ends with, and when it does. */
  link?: { secret: string; endsAt: string };
  /** The label of a link that was not made, as it was typed. */
  label?: string;
};

export type TestScope = PrincipalScope & { deployment: Deployment; form: URLSearchParams };

export async function answerResult({ deployment, form, ...scope }: TestScope) {
  const result = readResult(form);
  if (!result || !("options" in deployment.stored)) {
    return data<TestAnswer>({ intent: "result", message: notAResult }, { status: 400 });
  }
  const { address, stored } = deployment;
  const server = { domain: stored.options.domain, address };
  const complete = await withOutside(scope.context, result, server);
  const isSaved = await saveMemberResult(scope, deployment.id, complete);
  return data<TestAnswer>(
    {
      intent: "result",
      ...(complete.outside ? { outside: complete.outside } : {}),
      ...(isSaved ? {} : { message: resultNotSaved }),
    },
    { status: isSaved ? 200 : 503 },
  );
}

export async function answerLink({ deployment, form, ...scope }: TestScope) {
  const label = form.get("label") ?? "";
  const outcome = await makeTestLink(scope, deployment.id, label);
  if (outcome.ok) {
    const { secret, endsAt } = outcome;
    return data<TestAnswer>({ intent: "link", link: { secret, endsAt } });
  }
  const { status, message } = outcome;
  return data<TestAnswer>({ intent: "link", message, label }, { status });
}

export async function answerEndLink({ deployment, form, ...scope }: TestScope) {
  const outcome = await endTestLink(scope, deployment.id, form.get("link") ?? "");
  if (outcome.ok) return data<TestAnswer>({ intent: "end-link" });
  const { status, message } = outcome;
  return data<TestAnswer>({ intent: "end-link", message }, { status });
}
