import { Ajv } from "ajv";
import { parseAllDocuments } from "yaml";
import * as z from "zod";
import { kubernetesKinds } from "./kinds.ts";
import schema from "./schema.json" with { type: "json" };

/** An object of Kubernetes, as a file has it. */
const kubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
export type KubernetesObject = z.infer<typeof kubernetesObject>;

/** The objects of a file, in their order. A field that stands twice is refused. */
export function objectsIn(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    return kubernetesObject.parse(document.toJS());
  });
}

const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema({ $id: "kubernetes", ...schema });

/** What Kubernetes would refuse in an object: unknown fields, missing ones, values of another type. */
export function objectProblems(object: KubernetesObject): string[] {
  const kind = `${object.apiVersion} ${object.kind}`;
  const definition = kubernetesKinds[kind];
  if (definition === undefined) return [`${kind}: there is no schema of it`];
  const validate = ajv.compile({ $ref: `kubernetes#/definitions/${definition}` });
  validate(object);
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [kind, instancePath, message, params.additionalProperty].filter(Boolean).join(" "),
  );
}
