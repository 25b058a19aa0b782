import { expect, inject, test } from "vitest";
import type { Recorded } from "../../../fakes/stripe/recording.ts";
import { faultsIn } from "./answers.ts";
import { answerOf, close, operationOf, readDescription, type Schema } from "./description.ts";
import { readRecording } from "./recording.ts";

const { description: file, recording } = inject("stripe");
const description = readDescription(file);
for (const schema of Object.values(description.components.schemas)) close(schema);
const recorded = readRecording(recording);

function schemaNamed(name: string): Schema {
  const found = description.components.schemas[name];
  if (!found) throw new Error(`Stripe has no ${name}`);
  return found;
}

type Event = { type: string; data: { object: { object: string; deleted?: boolean } } };

function faultsOf(each: Recorded): string[] {
  if (each.kind === "request") return [];
  if (each.kind === "event") {
    const { type, data } = each.event as Event;
    const { object, deleted } = data.object;
    const faults = [
      ...faultsIn(description, schemaNamed("event"), each.event),
      ...faultsIn(
        description,
        schemaNamed(deleted ? `deleted_${object}` : object),
        data.object,
        "it",
      ),
    ];
    return faults.map((fault) => `event ${type}: ${fault}`);
  }
  const operation = operationOf(description, each.method, each.pattern);
  // The fake refuses what it does not have as Stripe refuses what it does not have.
  if (!operation && each.refused) return [];
  const schema = operation && answerOf(operation, each.refused);
  const faults = schema ? faultsIn(description, schema, each.answer) : ["is not at Stripe"];
  return faults.map((fault) => `${each.method} ${each.pattern}: ${fault}`);
}

const distinct = (faults: string[]) => [
  ...new Set(faults.map((fault) => fault.replace(/\[\d+\]/g, "[]"))),
];

test("every answer, refusal and event of the fake has the form that Stripe describes", () => {
  const answers = recorded.filter(({ kind }) => kind !== "request");
  console.log(`${answers.length} forms of answers, refusals and events`);
  expect(distinct(answers.flatMap(faultsOf))).toEqual([]);
  expect(answers.length).toBeGreaterThan(200);
});

test("an answer with a missing, an unknown, a wrong or an empty field is seen", () => {
  const answer = recorded.find(
    (each) =>
      each.kind === "answer" && each.method === "GET" && each.pattern === "/v1/subscriptions/:id",
  );
  if (answer?.kind !== "answer") throw new Error("No subscription was answered");
  expect(faultsOf(answer)).toEqual([]);
  const { cancel_at_period_end, ...rest } = answer.answer as Record<string, unknown>;
  expect(cancel_at_period_end).toBeTypeOf("boolean");
  const changed = { ...rest, status: "actve", plan: "pro", created: null, livemode: "no" };
  const faults = faultsOf({ ...answer, answer: changed }).map((fault) =>
    fault.replace("GET /v1/subscriptions/:id: ", "").replace(/none of .*/, "none of …"),
  );
  expect(faults.sort()).toEqual([
    "cancel_at_period_end is missing",
    "created is null, and may not be",
    "livemode is string instead of boolean",
    "plan is unknown to Stripe",
    'status is "actve", which is none of …',
  ]);
});
