import * as z from "zod/mini";
import { checkName, checkRange } from "../names.ts";
import { regionIds } from "../providers.ts";
import { type Component, checkTag, pinned } from "../versions.ts";

type Checked = { value: string } | { refusal: string };

/** A text field. `check` returns the text in its canonical form, or a sentence that says why it is refused. */
function text(check: (input: string) => Checked) {
  return z.pipe(
    z.string("Write this as text.").check(z.maxLength(1000, "This is too long.")),
    z.transform((input, context) => {
      const checked = input.includes("#{")
        ? { refusal: "#{ is not taken here: configuration files would run it." }
        : check(input);
      if ("value" in checked) return checked.value;
      context.issues.push({ code: "custom", message: checked.refusal, input: input });
      return z.NEVER;
    }),
  );
}

function matching(pattern: RegExp, refusal: string) {
  return text((input) => (pattern.test(input) ? { value: input } : { refusal }));
}

export const domainField = text((input) => {
  const checked = checkName(input);
  return "name" in checked ? { value: checked.name } : checked;
});

export const emailField = text((input) => {
  const [, account, domain = ""] =
    /^([A-Za-z0-9_][A-Za-z0-9._+-]{0,63})@([^@]+)$/.exec(input) ?? [];
  if (account === undefined || /\.\.|\.$/.test(account))
    return { refusal: "Write an email address such as you@example.com." };
  const checked = checkName(domain);
  return "name" in checked ? { value: `${account}@${checked.name}` } : checked;
});

export const rangeField = text((input) => {
  const checked = checkRange(input);
  return "range" in checked ? { value: checked.range } : checked;
});

/** The IPv4 ranges that RFC 1918 and RFC 6598 leave to private networks. */
const privateRanges = ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16"];

/** A range of a private network, with room for a cluster and what a provider takes for itself. */
export const privateRangeField = text((input) => {
  const refusal = "Write a private range from /8 to /28, such as 10.0.0.0/16.";
  const checked = checkRange(input);
  if (!("range" in checked)) return { refusal };
  const bits = Number(checked.range.split("/")[1]);
  const inside = privateRanges.some((each) => {
    const [network = "", outer = ""] = each.split("/");
    const masked = checkRange(`${checked.range.split("/")[0]}/${outer}`);
    return Number(outer) <= bits && "range" in masked && masked.range === `${network}/${outer}`;
  });
  return inside && bits <= 28 ? { value: checked.range } : { refusal };
});

export const alertUrlField = text((input) => {
  const refusal = "Write a web address that begins with https://.";
  const [, host = "", port] =
    /^https:\/\/([^/:?#@]+)(?::(\d{1,5}))?(?:\/[A-Za-z0-9._~:/@+,=&%?-]*)?$/.exec(input) ?? [];
  const checked = checkName(host);
  if (input.length > 500 || !("name" in checked) || Number(port ?? 1) > 65_535) return { refusal };
  return { value: input.replace(host, checked.name) };
});

export const portsField = text((input) => {
  const [, first, last] = /^([1-9]\d{0,4})(?:-([1-9]\d{0,4}))?$/.exec(input) ?? [];
  const from = Number(first);
  const to = Number(last ?? first);
  if (!(from <= to && to <= 65_535))
    return { refusal: "Write one port, such as 8443, or a range, such as 9000-9010." };
  return { value: from === to ? String(from) : `${from}-${to}` };
});

export const redisAddressField = text((input) => {
  const refusal = "Write host and port, such as redis.example.com:6379.";
  const [, host = "", port] =
    /^([A-Za-z0-9][A-Za-z0-9.-]{0,251}):([1-9]\d{0,4})$/.exec(input) ?? [];
  const labels = host.toLowerCase().split(".");
  if (!labels.every((part) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(part)))
    return { refusal };
  if (/^\d/.test(labels.at(-1) ?? "") && !("range" in checkRange(host))) return { refusal };
  return Number(port) <= 65_535 ? { value: `${host.toLowerCase()}:${port}` } : { refusal };
});

const redisUserField = matching(
  /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/,
  "A Redis user name here has letters, digits, dots, hyphens and underscores.",
);

export const redisMasterField = matching(
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
  "The name that Sentinel has for the master: letters, digits, dots, hyphens and underscores.",
);

/** Addresses of Sentinels, or of servers of a cluster. */
export function redisAddressesField() {
  return z
    .array(redisAddressField, "Write a list of addresses.")
    .check(
      z.minLength(1, "Write at least one address."),
      z.maxLength(20, "Write at most 20 addresses."),
    );
}

const certificateLine = matching(
  /^(-----(BEGIN|END) CERTIFICATE-----|[A-Za-z0-9+/]{1,76}={0,2})$/,
  "Paste the certificate as a file in PEM has it, from BEGIN to END.",
);

/** How a Redis of the customer's own is reached, whatever its kind. `contradictions` checks that certificates are whole. */
export function redisAccess() {
  return {
    username: z.optional(redisUserField),
    tls: z._default(flag, true),
    ca: z._default(
      z
        .array(certificateLine, "Write the lines of a certificate in PEM.")
        .check(z.maxLength(200, "Write at most 200 lines.")),
      [],
    ),
  };
}

const bucketField = matching(
  /^(?!.*\.\.)[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/,
  "A bucket has 3 to 63 small letters, digits, dots, hyphens and underscores.",
);

export const prefixField = matching(
  /^(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,60}(\/[A-Za-z0-9][A-Za-z0-9._-]{0,60}){0,4}$/,
  "Write a folder such as backups/livekit: letters, digits, dots, hyphens, underscores and slashes.",
);

export const azureAccountField = matching(
  /^[a-z0-9]{3,24}$/,
  "A storage account has 3 to 24 small letters and digits.",
);

export const azureContainerField = matching(
  /^(?!.*--)[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/,
  "A container has 3 to 63 small letters, digits and single hyphens.",
);

const bucketRegionField = matching(
  /^[a-z0-9][a-z0-9-]{0,31}$/,
  "Write the bucket's region, such as eu-west-1.",
);

const endpointField = text((input) => {
  const refusal = "Write the storage's address, such as https://s3.example.com.";
  const [, host = "", port] = /^https:\/\/([^/:?#@]+)(?::(\d{1,5}))?\/?$/.exec(input) ?? [];
  const checked = checkName(host);
  if (!("name" in checked) || Number(port ?? 1) > 65_535) return { refusal };
  return { value: `https://${checked.name}${port === undefined ? "" : `:${Number(port)}`}` };
});

export const ageRecipientField = matching(
  /^age1[02-9ac-hj-np-z]{58}$/,
  "Write an age public key: age1 and 58 more characters. `age-keygen` makes one.",
);

const imageForm =
  /^(?:[a-z0-9](?:[a-z0-9.-]{0,98}[a-z0-9])?(?::[1-9]\d{0,4})?\/)?[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*)*(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(@sha256:[0-9a-f]{64})?$/;
const movingTags =
  "latest main master trunk edge nightly dev develop staging stable prod production";

/** A Docker image of the customer, with a tag or a digest: without either, nobody knows which image runs. */
export const imageField = text((input) => {
  const [whole, tag, digest] = imageForm.exec(input.length > 400 ? "" : input) ?? [];
  if (whole === undefined)
    return { refusal: "Write an image such as registry.example.com/team/agent:1.4.2." };
  if (digest === undefined && (tag === undefined || movingTags.split(" ").includes(tag)))
    return {
      refusal: `${tag === undefined ? "Without a tag this is latest, which" : `The tag ${tag}`} moves: nobody could say what runs, and an update could not go back. Write a version or a digest.`,
    };
  return { value: input };
});

/** A whole number within bounds, which is `otherwise` by default. */
export function numberField(min: number, max: number, initial: number) {
  const words = `Write a whole number from ${min} to ${max}.`;
  return z._default(z.int(words).check(z.minimum(min, words), z.maximum(max, words)), initial);
}

/** The version of a component, which is the pinned one by default. */
export function versionField(component: Component) {
  return z._default(
    text((input) => {
      const checked = checkTag(component, input);
      return "tag" in checked ? { value: checked.tag } : checked;
    }),
    pinned[component].tag,
  );
}

/** One of our four regions, or a provider's name of another. `placeProblems` checks that name, since it knows the provider. */
export const regionField = matching(
  /^[A-Za-z][A-Za-z0-9-]{1,31}$/,
  `Choose one of: ${regionIds.join(", ")}. Or write the provider's own name of a region.`,
);

export const flag = z.boolean("Write true or false.");

/** Up to 20 address ranges, none unless some are named. */
export function rangesField() {
  return z._default(
    z
      .array(rangeField, "Write a list of address ranges.")
      .check(z.maxLength(20, "Write at most 20 address ranges.")),
    [],
  );
}

/** A bucket that speaks S3, for recordings and for backups. */
export function s3Bucket() {
  return {
    kind: z.literal("s3"),
    bucket: bucketField,
    region: bucketRegionField,
    endpoint: z.optional(endpointField),
    forcePathStyle: z._default(flag, false),
  };
}

/** A bucket of Google Cloud Storage. */
export function gcsBucket() {
  return { kind: z.literal("gcs"), bucket: bucketField };
}
