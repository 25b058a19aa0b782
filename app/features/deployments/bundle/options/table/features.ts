import * as z from "zod/mini";
import { choiceOption, type OptionDocs, type Options, oneOf } from "../option.ts";
import {
  alertUrlField,
  domainField,
  gcsBucket,
  imageField,
  numberField,
  rangesField,
  s3Bucket,
} from "../option-fields.ts";
import { choice } from "../question.ts";

const recordingKinds = [
  choice("none", "None", "Egress is left out."),
  choice("local", "Local", "Files on the server, under /opt/livekit/out."),
  choice("s3", "S3", "Amazon's, or any that speaks its protocol."),
  choice("gcs", "GCS", "A bucket at Google Cloud."),
];
const sipKinds = [
  choice("none", "None"),
  choice("on", "SIP", "Calls in and out, through a trunk of your provider."),
];
const agentKinds = [
  choice("none", "None"),
  choice("image", "My image", "A worker made with LiveKit's agent framework, beside LiveKit."),
];

const insightsKinds = [
  choice("none", "Off"),
  choice("machine", "On the server", "What agents and callers say is recorded, and stays there."),
];

/** What comes in from elsewhere and what is recorded. */
export const featuresOptions = {
  ingress: {
    ...choiceOption(
      {
        field: "ingress",
        label: "Ingress type",
        choices: [
          choice("none", "None"),
          choice("rtmp", "RTMP", "From OBS and encoders, on port 1935."),
          choice("webrtc", "WebRTC", "By WHIP at a domain of its own."),
          choice("both", "Both", "RTMP and WHIP."),
        ],
      },
      "none",
    ),
    pro: { field: "ingress", name: "Ingress", listed: "Ingress", dependents: ["whipDomain"] },
  },
  whipDomain: {
    field: () => z.optional(domainField),
    questions: [
      {
        kind: "when",
        field: "ingress",
        values: ["webrtc", "both"],
        questions: [
          {
            kind: "text",
            field: "whipDomain",
            label: "WHIP domain",
            domain: true,
            optional: true,
            placeholder: "whip.example.com",
            hint: "Empty means whip. before your domain.",
          },
        ],
      },
    ],
  },
  recording: {
    field: () =>
      z._default(
        z.discriminatedUnion(
          "kind",
          [
            z.strictObject({ kind: z.literal("none") }),
            z.strictObject({ kind: z.literal("local") }),
            z.strictObject(s3Bucket()),
            z.strictObject(gcsBucket()),
          ],
          oneOf(recordingKinds),
        ),
        { kind: "none" },
      ),
    questions: [
      {
        kind: "choice",
        field: "recording.kind",
        label: "Recording storage",
        choices: recordingKinds,
      },
      {
        kind: "when",
        field: "recording.kind",
        values: ["s3"],
        questions: [
          {
            kind: "text",
            field: "recording.s3.bucket",
            path: "recording.bucket",
            label: "Bucket",
            placeholder: "my-recordings",
          },
          {
            kind: "text",
            field: "recording.s3.region",
            path: "recording.region",
            label: "Bucket's region",
            placeholder: "eu-west-1",
          },
          {
            kind: "text",
            field: "recording.s3.endpoint",
            path: "recording.endpoint",
            label: "Endpoint",
            type: "url",
            optional: true,
            hint: "For storage that is not Amazon's.",
          },
          {
            kind: "check",
            field: "recording.s3.forcePathStyle",
            path: "recording.forcePathStyle",
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
            path: "recording.bucket",
            label: "Bucket",
            placeholder: "my-recordings",
          },
        ],
      },
    ],
    pro: { field: "recording.kind", name: "Egress, which records,", listed: "recording" },
  },
  sip: {
    field: () =>
      z._default(
        z.discriminatedUnion(
          "kind",
          [
            z.strictObject({ kind: z.literal("none") }),
            z.strictObject({ kind: z.literal("on"), sources: rangesField() }),
          ],
          oneOf(sipKinds),
        ),
        { kind: "none" },
      ),
    questions: [
      { kind: "choice", field: "sip.kind", label: "Telephone calls by SIP", choices: sipKinds },
      {
        kind: "when",
        field: "sip.kind",
        values: ["on"],
        questions: [
          {
            kind: "lines",
            field: "sip.sources",
            label: "SIP from",
            placeholder: "203.0.113.0/24",
            hint: "Your provider's networks, for calls and for their media, one on each line. Empty means anywhere.",
          },
        ],
      },
    ],
  },
  agent: {
    field: () =>
      z._default(
        z.discriminatedUnion(
          "kind",
          [
            z.strictObject({ kind: z.literal("none") }),
            z.strictObject({ kind: z.literal("image"), image: imageField }),
          ],
          oneOf(agentKinds),
        ),
        { kind: "none" },
      ),
    questions: [
      { kind: "choice", field: "agent.kind", label: "Agent worker", choices: agentKinds },
      {
        kind: "when",
        field: "agent.kind",
        values: ["image"],
        questions: [
          {
            kind: "text",
            field: "agent.image",
            label: "Image",
            placeholder: "registry.example.com/team/agent:1.4.2",
            hint: "With a version or a digest. Its own settings go into agent.env on the server.",
          },
        ],
      },
    ],
  },
  webhooks: {
    field: () =>
      z._default(
        z
          .array(alertUrlField, "Write a list of web addresses.")
          .check(z.maxLength(5, "Write at most 5 web addresses.")),
        [],
      ),
    questions: [
      {
        kind: "lines",
        field: "webhooks",
        label: "Webhooks",
        placeholder: "https://app.example.com/livekit/events",
        hint: "Addresses that LiveKit tells what happens in rooms, up to five, one on each line. They are signed with a key of their own.",
      },
    ],
  },
  sessions: choiceOption(
    {
      field: "sessions",
      label: "Sessions in the console",
      choices: [
        choice("hashed", "Without names", "When, how long and why they ended; names as hashes."),
        choice("named", "Send names", "The same, with identities and names of rooms."),
        choice("off", "Off", "Nothing of calls but their number."),
      ],
      hint: "For a server that is connected. Chat, metadata, telephone numbers and files never leave it.",
      optional: true,
    },
    "hashed",
  ),
  insights: {
    field: () =>
      z._default(
        z.discriminatedUnion(
          "kind",
          [
            z.strictObject({ kind: z.literal("none") }),
            z.strictObject({
              kind: z.literal("machine"),
              days: numberField(1, 90, 14),
              gigabytes: numberField(1, 1000, 5),
            }),
          ],
          oneOf(insightsKinds),
        ),
        { kind: "none" },
      ),
    questions: [
      {
        kind: "choice",
        field: "insights.kind",
        label: "Agent insights",
        choices: insightsKinds,
        hint: "Transcript, sound, traces and logs of every agent that does not refuse. Say so to who talks with it.",
        optional: true,
      },
      {
        kind: "when",
        field: "insights.kind",
        values: ["machine"],
        questions: [
          {
            kind: "text",
            field: "insights.days",
            label: "Stored for (days)",
            type: "number",
            hint: "1 to 90.",
          },
          {
            kind: "text",
            field: "insights.gigabytes",
            label: "At most (GB)",
            type: "number",
            hint: "1 to 1000. An hour of sound is 40 MB. Beyond it the oldest are deleted.",
          },
        ],
      },
    ],
  },
} as const satisfies Options;

export const featuresDocs: OptionDocs = {
  ingress: {
    about: "Streams from outside: RTMP, WHIP or both.",
    values: [
      ["none", "No Ingress"],
      ["rtmp", "Ingress for RTMP on 1935/tcp"],
      ["webrtc", "Ingress for WHIP on 443 at `whipDomain`, media on 7885/udp"],
      ["both", "RTMP and WHIP"],
    ],
  },
  whipDomain: "The name for WHIP. Without one it is whip. before the domain.",
  recording: "Where Egress stores recordings.",
  "recording.kind": {
    about: "none, the machine's disk, a bucket of S3's kind, or Google Cloud Storage.",
    values: [
      ["none", "No Egress"],
      ["local", "Egress, files in /opt/livekit/out; a path without a leading slash begins there"],
      [
        "s3",
        "Egress, files in a bucket; on AWS by the machine's role, else by keys typed on the machine",
      ],
      [
        "gcs",
        "Egress, files in a bucket; on Google Cloud by the machine's role, else by credentials typed on the machine",
      ],
    ],
  },
  "recording.bucket": "The bucket for recordings.",
  "recording.region": "The region of a bucket of S3's kind.",
  "recording.endpoint": "The address of a storage that is S3's kind but not Amazon's.",
  "recording.forcePathStyle": "Whether the bucket stands in the path rather than in the host name.",
  sip: "Telephone calls, by LiveKit's SIP service.",
  "sip.kind": {
    about: "Whether the SIP service runs.",
    values: [
      ["none", "No SIP"],
      ["on", "LiveKit's SIP service: 5060/udp and tcp, 10000-20000/udp, open to `sources`"],
    ],
  },
  "sip.sources": "Address ranges of the trunk provider, for calls and media. Empty: everybody.",
  agent: "An agent worker beside LiveKit, from an image of your own.",
  "agent.kind": {
    about: "Whether an agent worker runs.",
    values: [
      ["none", "No agent worker"],
      [
        "image",
        "An image of your own on the host's network, with the API key and `agent.env`; it starts after the others, so that it cannot keep them from starting",
      ],
    ],
  },
  "agent.image": "The image, with a version or a digest.",
  sessions: {
    about:
      "What a connected server sends to the console of the sessions in its rooms: times, reasons, kinds of tracks and results of Egress and Ingress, never metadata, numbers or paths.",
    values: [
      [
        "hashed",
        "Identities and names of rooms as hashes, whose key stays on the server: `livekit-deploy find NAME`",
      ],
      ["named", "Identities and names of rooms as they are"],
      ["off", "No sessions"],
    ],
  },
  insights:
    "What LiveKit's Agents SDKs record of their sessions, kept on the server: docs/agent-insights.",
  "insights.kind": {
    about: "Whether the server takes it.",
    values: [
      ["none", "No agent is asked to record"],
      [
        "machine",
        "`agents.enable_user_data_recording` in livekit.yaml, and a receiver behind Caddy at `/observability/`",
      ],
    ],
  },
  "insights.days": "For how many days it is stored.",
  "insights.gigabytes": "How much is stored; beyond it the oldest sessions are deleted.",
  webhooks:
    "Addresses that LiveKit's events go to, up to 5, signed with the key `webhooks`, which no rotation touches.",
};
