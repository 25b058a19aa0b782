import { expect, test } from "vitest";
import { optionTable } from "~/features/deployments/bundle/options/options";
import { formValuesOf } from "~/features/deployments/wizard/form-values";
import { fieldsOf } from "~/features/deployments/wizard/questions";
import { reviewOf } from "~/features/deployments/wizard/review-lines";
import { readSteps } from "~/features/deployments/wizard/step-answers";
import { formStepIds } from "~/features/deployments/wizard/steps";
import { optionsFrom, pairwiseOptions } from "../../support/deployments/bundle-cases.ts";

test("whatever was chosen, opening a step of the wizard and saving it unchanged changes nothing", () => {
  for (const options of pairwiseOptions(0)) {
    const formValues = formValuesOf("Mine", options);
    for (const step of formStepIds)
      expect(readSteps([step], formValues, options), step).toEqual({ name: "Mine", options });
  }
});

test("the review says that there is no limit, where a field holds 0", () => {
  const formValues = formValuesOf("Production", optionsFrom({ domain: "livekit.example.com" }));
  const lines = reviewOf(formValues, {}).flatMap((section) => section.lines);
  for (const label of [
    "Participants in a room",
    "Tracks on the server",
    "Bytes per second on the server",
  ])
    expect(lines.find((line) => line.label === label)?.value, label).toBe("No limit");
  expect(lines.map(({ value }) => value)).not.toContain("0");
});

test("the review calls region and size what the provider calls them", () => {
  const options = optionsFrom({
    domain: "live.example.com",
    provider: "hetzner",
    region: "eu-west",
  });
  const values = reviewOf(formValuesOf("Production", options), {}).flatMap(({ lines }) =>
    lines.map(({ value }) => value),
  );
  expect(values).toEqual(
    expect.arrayContaining(["Hetzner", "Falkenstein (fsn1)", "Medium (ccx23, 4 vCPU)"]),
  );
});

test("the review lists no version of what does not run, unless one was typed (Low)", () => {
  const formValues = formValuesOf("Production", optionsFrom({ domain: "live.example.com" }));
  const shown = (values: typeof formValues, changes = {}) =>
    reviewOf(values, changes).flatMap(({ lines }) =>
      lines.flatMap(({ field }) => (field.startsWith("versions.") ? [field.slice(9)] : [])),
    );
  expect(shown(formValues)).toEqual(["livekit", "caddy", "redis"]);
  const all = { ...formValues, ingress: "rtmp", "recording.kind": "local", "sip.kind": "on" };
  expect(shown(all)).toEqual(["livekit", "egress", "ingress", "sip", "caddy", "redis"]);
  expect(shown({ ...formValues, "redis.kind": "cluster" })).toEqual(["livekit", "caddy"]);
  const typed = { "versions.sip": { was: "", now: "v1.0.0" } };
  expect(shown(formValues, typed)).toContain("sip");
});

test("of several machines the fields that are left empty are as they show", () => {
  const fields = fieldsOf(optionTable.topology.questions).flatMap(({ question }) =>
    question.kind === "text" ? [[question.field, question.placeholder]] : [],
  );
  const { topology } = optionsFrom({ domain: "live.example.com", topology: { kind: "cluster" } });
  if (topology.kind === "single") throw new Error("It has one server");
  expect(Object.fromEntries(fields)).toEqual({
    "topology.machines": `${topology.machines}`,
    "topology.network": topology.network,
    "topology.egress": `${topology.egress}`,
  });
});
