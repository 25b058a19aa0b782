/** What a file is written in, for highlighting. */
export type Language =
  | "yaml"
  | "shell"
  | "ini"
  | "conf"
  | "nft"
  | "json"
  | "markdown"
  | "env"
  | "python";

/** One file of a bundle. Its content has LF line ends and ends with one. */
export type BundleFile = {
  /** Its name in the zip: flat and unique. */
  path: string;
  content: string;
  language: Language;
  /** One sentence for the person who looks at it. */
  purpose: string;
  /** Where the first boot puts it on the machine; absent for what stays with the customer. */
  installed?: { path: string; mode: "0644" | "0640" | "0600" | "0755"; owner: string };
};

/** Something that is wrong or worth knowing, at an option: `path` is like `firewall.rules.0.ports`. */
export type Problem = { path: string; message: string };

/**
 * A port of the deployment. `public` is the deployment's own, `ssh` and `custom` the customer's, all open to `sources`;
 * `internal` to nobody outside the machine.
 */
export type Port = {
  /** One port, `443`, or a range, `50000-60000`. */
  ports: string;
  protocol: "tcp" | "udp";
  audience: "public" | "ssh" | "custom" | "internal";
  /** CIDR ranges that may connect; empty for internal ports. */
  sources: readonly string[];
  service: string;
  purpose: string;
};

/** A record that the customer sets at their DNS provider. */
export type DnsRecord = {
  /** The name as DNS wants it; for unicode domains in punycode. */
  name: string;
  /** The same name as people read it. */
  shownName: string;
  type: "A" | "AAAA";
  purpose: string;
};

/** The key pair and passwords that a browser made. They never leave it except inside the bundle. */
export type Secrets = {
  apiKey: string;
  apiSecret: string;
  redisPassword: string;
  webhookSecret: string;
};

/** Everything that one set of options comes to. */
export type Bundle = {
  files: BundleFile[];
  warnings: Problem[];
  ports: Port[];
  dnsRecords: DnsRecord[];
  /** How the user data reaches the machine, and its size in bytes against what the provider takes. */
  userData: UserData;
};

/**
 * `compressed`: over the provider's limit, so create-vm.sh compresses it. `bucket`: for AWS it may be too large
 * even then, and create-vm.sh hands it over through a bucket.
 */
export type UserData = {
  readonly form: "plain" | "compressed" | "bucket";
  /** The size of cloud-init.yaml. */
  readonly bytes: number;
  /** What the provider takes as user data; null where we do not know. */
  readonly limit: number | null;
  /** False where the user data may be too large for the provider even when compressed. */
  readonly fits: boolean;
};
