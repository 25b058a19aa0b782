/** The language of a file, by which it is highlighted. */
export type Language =
  | "yaml"
  | "shell"
  | "ini"
  | "conf"
  | "nft"
  | "json"
  | "markdown"
  | "env"
  | "python"
  | "hcl";

/** One file of a bundle. Its content has LF line ends and ends with one. */
export type BundleFile = {
  /** Its name in the zip. No folders, and no name twice. */
  path: string;
  content: string;
  language: Language;
  /** What the file is for: one sentence for the customer. */
  purpose: string;
  /** In user data, which must be small, only where the machine connects at its first boot. Else `apply` brings it. */
  withToken?: true;
  /** Where the first boot puts it on the machine. Absent for files that stay with the customer. */
  installed?: { path: string; mode: "0644" | "0640" | "0600" | "0755"; owner: string };
};

/** An error or a warning about one option. `path` names the option, such as `firewall.rules.0.ports`. */
export type Problem = { path: string; message: string };

/**
 * What one of several machines does: `edge` has Caddy, the certificates and Redis, `media` has LiveKit, and Egress where no
 * machine has `egress`, which is Egress alone.
 */
export type Role = "edge" | "media" | "egress";

/**
 * A port of the deployment. The services need `public` ports, the customer uses `ssh` and opened `custom` ones; all
 * three are open to `sources`, and so is a `private` one, to the other machines of a cluster. Nobody outside the
 * machine reaches an `internal` port. `role`: only machines of a cluster with it have the port.
 */
export type Port = {
  /** One port, `443`, or a range, `50000-60000`. */
  ports: string;
  protocol: "tcp" | "udp";
  audience: "public" | "ssh" | "custom" | "private" | "internal";
  role?: Role;
  /** CIDR ranges that may connect; empty for internal ports. */
  sources: readonly string[];
  service: string;
  purpose: string;
};

/** A record that the customer sets at their DNS provider. */
export type DnsRecord = {
  /** The name as DNS has it. A Unicode domain is in punycode. */
  name: string;
  /** The same name as people read it. */
  shownName: string;
  type: "A" | "AAAA";
  purpose: string;
};

/** The key pair and passwords that a browser made. They leave the browser only inside the bundle. */
export type Secrets = {
  apiKey: string;
  apiSecret: string;
  redisPassword: string;
  webhookSecret: string;
};

/** The saved version that a bundle is made of. `deployment`: its id. */
export type BundleVersion = { deployment: string; number: number };

/**
 * Where the machine finds the console, the token by which it introduces itself at its first boot, and the version that it
 * says it runs. `knownBad`: the versions with an advisory by the table of an earlier release of ours.
 */
export type Connection = {
  url: string;
  token?: string;
  version?: BundleVersion;
  knownBad?: string;
};

/** Everything that `bundle()` makes of one set of options. */
export type Bundle = {
  files: BundleFile[];
  warnings: Problem[];
  ports: Port[];
  dnsRecords: DnsRecord[];
  /** How the user data reaches the machine, and whether the provider accepts its size. */
  userData: UserData;
};

/**
 * `compressed`: it is over the provider's limit, so create-vm.sh compresses it. `bucket`: at AWS and Oracle Cloud, where
 * it may be over the limit even when compressed, create-vm.sh then puts it into a bucket and passes a link. `ssh`: at
 * Hetzner create-vm.sh then copies the files to the machine.
 */
export type UserData = {
  readonly form: "plain" | "compressed" | "bucket" | "ssh";
  /** The size of cloud-init.yaml. */
  readonly bytes: number;
  /** The most bytes of user data that the provider accepts; null where we do not know. */
  readonly limit: number | null;
  /** False where the user data may be too large for the provider even when compressed. */
  readonly fits: boolean;
};
