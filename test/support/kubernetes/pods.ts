import * as z from "zod";
import type { KubernetesObject } from "./objects.ts";

const reference = z.strictObject({ name: z.string(), key: z.string() });
const variable = z.strictObject({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .strictObject({ configMapKeyRef: reference.optional(), secretKeyRef: reference.optional() })
    .optional(),
});

const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).optional(),
  env: z.array(variable),
  livenessProbe: z.unknown().optional(),
  readinessProbe: z.unknown().optional(),
});

const deployment = z.looseObject({
  spec: z.looseObject({
    replicas: z.number(),
    strategy: z.unknown().optional(),
    template: z.looseObject({
      metadata: z.looseObject({
        annotations: z.record(z.string(), z.string()),
        labels: z.record(z.string(), z.string()),
      }),
      spec: z.looseObject({
        containers: z.tuple([container]),
        hostNetwork: z.boolean().optional(),
        nodeSelector: z.record(z.string(), z.string()).optional(),
        terminationGracePeriodSeconds: z.number(),
        tolerations: z.unknown().optional(),
        volumes: z.unknown().optional(),
      }),
    }),
  }),
});

export function objectOf(
  objects: readonly KubernetesObject[],
  kind: string,
  name: string,
): KubernetesObject {
  const found = objects.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`There is no ${kind} ${name}`);
  return found;
}

/** A Deployment with one container, and its pods. */
export function deploymentOf(objects: readonly KubernetesObject[], name: string) {
  const { spec } = deployment.parse(objectOf(objects, "Deployment", name));
  const { metadata, spec: pod } = spec.template;
  return { ...spec, ...metadata, pod, container: pod.containers[0] };
}

const labelled = z.looseObject({
  spec: z.looseObject({
    selector: z.union([
      z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
      z.record(z.string(), z.string()),
    ]),
  }),
});

/** The pods that a Service or a budget is of, by their labels. */
export function selectorOf(object: KubernetesObject): Record<string, string> {
  const { selector } = labelled.parse(object).spec;
  return "matchLabels" in selector && typeof selector.matchLabels === "object"
    ? selector.matchLabels
    : z.record(z.string(), z.string()).parse(selector);
}

const port = z.looseObject({ name: z.string().optional(), port: z.number() });
const service = z.looseObject({
  spec: z.looseObject({ type: z.string().optional(), ports: z.array(port) }),
});

export const serviceOf = (objects: readonly KubernetesObject[], name: string) =>
  service.parse(objectOf(objects, "Service", name)).spec;

const backend = z.strictObject({
  service: z.strictObject({
    name: z.string(),
    port: z.union([z.strictObject({ name: z.string() }), z.strictObject({ number: z.number() })]),
  }),
});
const ingress = z.looseObject({
  spec: z.looseObject({
    rules: z.array(
      z.strictObject({
        host: z.string(),
        http: z.strictObject({
          paths: z.array(z.strictObject({ path: z.string(), pathType: z.string(), backend })),
        }),
      }),
    ),
    tls: z.unknown().optional(),
  }),
});

/** The Services that an Ingress leads to, by name of a port or its number. */
export const backendsOf = (object: KubernetesObject) =>
  ingress
    .parse(object)
    .spec.rules.flatMap(({ http }) => http.paths.map((path) => path.backend.service));

/** The text of a ConfigMap's one file. */
export const configurationIn = (objects: readonly KubernetesObject[], name: string) =>
  z
    .looseObject({ data: z.strictObject({ "config.yaml": z.string() }) })
    .parse(objectOf(objects, "ConfigMap", name)).data["config.yaml"];

/**
 * The variables of a Deployment's container as a node makes them: in their order, with `$(NAME)` for one that stands
 * above. What refers to nothing is refused, as the pod would not start.
 */
export function environmentOf(
  objects: readonly KubernetesObject[],
  name: string,
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Record<string, string> {
  const values: Record<string, string> = {};
  const existing = (value: string | undefined, what: string) => {
    if (value === undefined) throw new Error(`${name} refers to ${what}, which is not there`);
    return value;
  };
  for (const { name: variableName, value, valueFrom } of deploymentOf(objects, name).container
    .env) {
    const { configMapKeyRef: file, secretKeyRef: secret } = valueFrom ?? {};
    if (file && file.key !== "config.yaml") throw new Error(`${name} refers to ${file.key}`);
    values[variableName] = file
      ? configurationIn(objects, file.name)
      : secret
        ? existing(secrets[secret.name]?.[secret.key], `${secret.name} ${secret.key}`)
        : existing(value, variableName).replaceAll(/\$\((\w+)\)/g, (_, other: string) =>
            existing(values[other], `$(${other})`),
          );
  }
  return values;
}
