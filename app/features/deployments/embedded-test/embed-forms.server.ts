import { data } from "react-router";
import type { TestScope } from "../connection-test/test-forms.server";
import { endEmbed, makeEmbed, type TypedEmbed } from "./embeds.server";

export type EmbedIntent = "embed" | "end-embed";

/** What the page shows after one of its forms. `typed`: of an embedded test that was not made, as it was typed. */
export type EmbedAnswer = { intent: EmbedIntent; message?: string; typed?: TypedEmbed };

/** What somebody typed; undefined for another form. */
export function typedEmbed(form: URLSearchParams): TypedEmbed | undefined {
  const origins = form.get("origins");
  if (origins === null) return;
  return { label: form.get("label") ?? "", origins, channel: form.get("channel") ?? "" };
}

export async function answerEmbed({ deployment, form, ...scope }: TestScope) {
  const typed = typedEmbed(form) ?? { label: "", origins: "", channel: "" };
  const outcome = await makeEmbed(scope, deployment, typed);
  if (outcome.ok) return data<EmbedAnswer>({ intent: "embed" });
  const { status, message } = outcome;
  return data<EmbedAnswer>({ intent: "embed", message, typed }, { status });
}

export async function answerEndEmbed({ deployment, form, ...scope }: TestScope) {
  const outcome = await endEmbed(scope, deployment.id, form.get("embed") ?? "");
  if (outcome.ok) return data<EmbedAnswer>({ intent: "end-embed" });
  const { status, message } = outcome;
  return data<EmbedAnswer>({ intent: "end-embed", message }, { status });
}
