import { type Component, pinned } from "../bundle/versions.ts";
import type { FormStepId } from "./steps";

type Asked = { field: string; label: string; hint?: string };

export type Choice = {
  value: string;
  label: string;
  /** What choosing it changes. */
  effect?: string;
  /** The plan that has it, where the person's does not. */
  lockedTo?: "Pro";
};

export type Question =
  | (Asked & { kind: "choice"; choices: Choice[]; compact?: true; locked?: true })
  | (Asked & { kind: "text"; type?: "email" | "url"; placeholder?: string; suggestions?: string[] })
  | (Asked & { kind: "lines"; placeholder?: string; locked?: true })
  | (Asked & { kind: "check" })
  /** Asked only where the field before it has one of these values. */
  | { kind: "when"; field: string; values: string[]; questions: Question[] }
  /** What most people leave as it is. */
  | { kind: "advanced"; label: string; questions: Question[] };

const choice = (value: string, label: string, effect?: string): Choice =>
  effect ? { value, label, effect } : { value, label };

const version = (component: Component, label: string): Question => ({
  kind: "text",
  field: `versions.${component}`,
  label,
  hint: `${pinned[component].tag} is the version we test, of ${pinned[component].date}.`,
  suggestions: [pinned[component].tag],
});

/** Every question of the wizard, where a person expects it. */
export const questionsByStep: Record<FormStepId, Question[]> = {
  deployment: [
    {
      kind: "text",
      field: "name",
      label: "Name",
      hint: "For you alone: it appears in this console and nowhere else.",
    },
    {
      kind: "choice",
      field: "provider",
      label: "Provider",
      compact: true,
      choices: [
        choice("aws", "AWS"),
        choice("azure", "Azure"),
        choice("digital-ocean", "Digital Ocean"),
        choice("google-cloud", "Google Cloud"),
      ],
    },
    {
      kind: "choice",
      field: "region",
      label: "Region",
      compact: true,
      choices: [
        choice("us-east", "US East"),
        choice("us-west", "US West"),
        choice("eu-west", "EU West"),
        choice("asia-pacific", "Asia Pacific"),
      ],
    },
    {
      kind: "choice",
      field: "size",
      label: "Instance type",
      hint: "Recording a whole room needs about five cores: choose Large for it.",
      choices: [
        choice("small", "Small", "2 cores: trying it out, small meetings."),
        choice("medium", "Medium", "4 cores: everyday meetings, single tracks recorded."),
        choice("large", "Large", "8 cores: large rooms, and rooms recorded whole."),
      ],
    },
    {
      kind: "advanced",
      label: "System and addresses",
      questions: [
        {
          kind: "choice",
          field: "system",
          label: "Operating system",
          choices: [
            choice("ubuntu-24.04", "Ubuntu 24.04", "At every provider."),
            choice("amazon-linux-2023", "Amazon Linux 2023", "On AWS only."),
          ],
        },
        {
          kind: "choice",
          field: "addresses",
          label: "Addresses",
          choices: [
            choice("ipv4", "IPv4 only", "One A record per name."),
            choice("dual", "IPv4 and IPv6", "An AAAA record per name as well."),
          ],
        },
      ],
    },
  ],
  security: [
    {
      kind: "text",
      field: "domain",
      label: "Domain",
      placeholder: "livekit.example.com",
      hint: "A name of yours that is not in use yet. Letters beyond a to z become punycode.",
    },
    {
      kind: "text",
      field: "email",
      label: "Email",
      type: "email",
      hint: "The certificate authority writes here when a certificate cannot be renewed.",
    },
    {
      kind: "lines",
      field: "extraDomains",
      label: "Further domains",
      hint: "Up to five more names for the same server, one on each line.",
      placeholder: "rooms.example.com",
    },
    {
      kind: "advanced",
      label: "A proxy that already uses port 443",
      questions: [
        {
          kind: "choice",
          field: "proxy",
          label: "Port 443",
          choices: [
            choice("none", "Free", "Caddy answers on 443 and 80 itself."),
            choice(
              "existing",
              "In use by my proxy",
              "Caddy listens on this machine only; the README shows what your proxy passes on.",
            ),
          ],
        },
      ],
    },
  ],
  server: [
    {
      kind: "choice",
      field: "turn.mode",
      label: "TURN configuration",
      choices: [
        choice("auto", "Auto", "turn. before your domain, by TLS on 443 and UDP on 3478."),
        choice("manual", "Manual", "A TURN domain of your own, and which ways it answers."),
      ],
    },
    {
      kind: "when",
      field: "turn.mode",
      values: ["manual"],
      questions: [
        {
          kind: "text",
          field: "turn.domain",
          label: "TURN domain",
          placeholder: "turn.example.com",
          hint: "Empty means turn. before your domain.",
        },
        { kind: "check", field: "turn.tls", label: "TURN by TLS on port 443" },
        { kind: "check", field: "turn.udp", label: "TURN by UDP on port 3478" },
      ],
    },
    {
      kind: "choice",
      field: "firewall.preset",
      label: "Firewall preset",
      choices: [
        choice("standard", "Standard", "The ports that LiveKit needs, and SSH with a limit."),
        choice(
          "strict",
          "Strict",
          "SSH from your networks only, limits on new connections, a log.",
        ),
        choice("custom", "Custom", "Strict, and rules of your own."),
      ],
    },
    {
      kind: "when",
      field: "firewall.preset",
      values: ["custom"],
      questions: [
        {
          kind: "lines",
          field: "firewall.rules",
          label: "Your rules",
          hint: "Up to 20, one on each line: protocol, port or range, network.",
          placeholder: "udp 9000-9010 203.0.113.0/24",
        },
      ],
    },
    {
      kind: "lines",
      field: "sshSource",
      label: "SSH from",
      hint: "Networks that may sign in, one on each line. With Standard, empty means anywhere, by key only.",
      placeholder: "203.0.113.7/32",
    },
    {
      kind: "advanced",
      label: "Redis",
      questions: [
        {
          kind: "choice",
          field: "redis.kind",
          label: "Redis",
          choices: [
            choice(
              "bundled",
              "On this server",
              "With a password and a volume, not reachable from outside.",
            ),
            choice("external", "My own", "Its password is typed on the server, never here."),
          ],
        },
        {
          kind: "when",
          field: "redis.kind",
          values: ["external"],
          questions: [
            {
              kind: "text",
              field: "redis.address",
              label: "Address",
              placeholder: "redis.example.com:6379",
            },
            { kind: "text", field: "redis.username", label: "User name, if it has one" },
            { kind: "check", field: "redis.tls", label: "Connect by TLS" },
          ],
        },
      ],
    },
  ],
  "security-advanced": [
    {
      kind: "choice",
      field: "security",
      label: "Security level",
      choices: [
        choice("standard", "Standard", "SSH by key only, security updates, no new privileges."),
        choice(
          "high",
          "High",
          "Read-only containers with the fewest capabilities, a hardened kernel.",
        ),
        choice(
          "enterprise",
          "Enterprise",
          "Audit rules, a window for reboots, encrypted backups only.",
        ),
      ],
    },
    {
      kind: "choice",
      field: "monitoring",
      label: "Monitoring",
      choices: [
        choice("basic", "Basic", "A health check every five minutes, in the journal."),
        choice("advanced", "Advanced", "Prometheus on the server, 15 days of measurements."),
        choice("24/7", "24/7", "Alert rules as well, and a message when the state changes."),
      ],
    },
    {
      kind: "when",
      field: "monitoring",
      values: ["24/7"],
      questions: [
        {
          kind: "text",
          field: "alertUrl",
          label: "Alert address",
          type: "url",
          placeholder: "https://alerts.example.com/livekit",
          hint: "Receives JSON by POST. Without one the state is only logged.",
        },
      ],
    },
    {
      kind: "advanced",
      label: "Where secrets are made",
      questions: [
        {
          kind: "choice",
          field: "secrets",
          label: "Secrets",
          choices: [
            choice("server", "On the server", "At first boot: no secret travels at all."),
            choice("browser", "In your browser", "When you download; never sent to us."),
          ],
        },
      ],
    },
  ],
  features: [
    {
      kind: "choice",
      field: "ingress",
      label: "Ingress type",
      choices: [
        choice("none", "None"),
        choice("rtmp", "RTMP", "From OBS and encoders, on port 1935."),
        choice("webrtc", "WebRTC", "By WHIP at a domain of its own."),
        choice("both", "Both", "RTMP and WHIP."),
      ],
    },
    {
      kind: "when",
      field: "ingress",
      values: ["webrtc", "both"],
      questions: [
        {
          kind: "text",
          field: "whipDomain",
          label: "WHIP domain",
          placeholder: "whip.example.com",
          hint: "Empty means whip. before your domain.",
        },
      ],
    },
    {
      kind: "choice",
      field: "recording.kind",
      label: "Recording storage",
      choices: [
        choice("none", "None", "Egress is left out."),
        choice("local", "Local", "Files on the server, under /opt/livekit/out."),
        choice("s3", "S3", "Amazon's, or any that speaks its protocol."),
        choice("gcs", "GCS", "A bucket at Google Cloud."),
      ],
    },
    {
      kind: "when",
      field: "recording.kind",
      values: ["s3"],
      questions: [
        {
          kind: "text",
          field: "recording.s3.bucket",
          label: "Bucket",
          placeholder: "my-recordings",
        },
        {
          kind: "text",
          field: "recording.s3.region",
          label: "Bucket's region",
          placeholder: "eu-west-1",
        },
        {
          kind: "text",
          field: "recording.s3.endpoint",
          label: "Endpoint",
          type: "url",
          hint: "For storage that is not Amazon's.",
        },
        {
          kind: "check",
          field: "recording.s3.forcePathStyle",
          label: "Bucket in the path, as MinIO wants it",
        },
      ],
    },
    {
      kind: "when",
      field: "recording.kind",
      values: ["gcs"],
      questions: [
        {
          kind: "text",
          field: "recording.gcs.bucket",
          label: "Bucket",
          placeholder: "my-recordings",
        },
      ],
    },
  ],
  management: [
    {
      kind: "choice",
      field: "updates",
      label: "Update schedule",
      choices: [
        choice("manual", "Manual", "When you say livekit-deploy update."),
        choice("weekly", "Weekly", "By a timer, with a way back."),
        choice("monthly", "Monthly", "By a timer, with a way back."),
      ],
    },
    {
      kind: "choice",
      field: "backups.frequency",
      label: "Backup frequency",
      choices: [
        choice("none", "None"),
        choice("daily", "Daily", "The last 7 are kept."),
        choice("weekly", "Weekly", "The last 5 are kept."),
        choice("monthly", "Monthly", "The last 6 are kept."),
      ],
    },
    {
      kind: "when",
      field: "backups.frequency",
      values: ["daily", "weekly", "monthly"],
      questions: [
        {
          kind: "text",
          field: "backups.ageRecipient",
          label: "Encrypt backups for",
          placeholder: "age1…",
          hint: "The public key that age-keygen shows. Without one backups are not encrypted.",
        },
      ],
    },
    {
      kind: "advanced",
      label: "Versions",
      questions: [
        version("livekit", "LiveKit"),
        version("egress", "Egress"),
        version("ingress", "Ingress"),
        version("caddy", "Caddy"),
        version("redis", "Redis"),
      ],
    },
  ],
};

const basicChoices: Readonly<Record<string, string>> = {
  "turn.mode": "auto",
  monitoring: "basic",
  ingress: "none",
  "recording.kind": "none",
  "backups.frequency": "none",
};

/** A step's questions as a plan may answer them: what it lacks is marked with the plan that has it. */
export function questionsFor(step: FormStepId, plan: "Basic" | "Pro"): Question[] {
  return questionsByStep[step].map((question) => {
    if (plan === "Pro" || !("field" in question)) return question;
    if (question.kind === "lines" && question.field === "extraDomains") {
      return { ...question, locked: true };
    }
    const open = basicChoices[question.field];
    if (question.kind !== "choice" || open === undefined) return question;
    const choices = question.choices.map((each) =>
      each.value === open ? each : { ...each, lockedTo: "Pro" as const },
    );
    return { ...question, choices, locked: true };
  });
}
