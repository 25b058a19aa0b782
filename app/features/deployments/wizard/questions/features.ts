import { choice, type Question } from "./question";

/** What comes in from elsewhere and what is recorded. */
export const featuresQuestions: Question[] = [
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
  {
    kind: "choice",
    field: "sip.kind",
    label: "Telephone calls by SIP",
    choices: [
      choice("none", "None"),
      choice("on", "SIP", "Calls in and out, through a trunk of your provider."),
    ],
  },
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
  {
    kind: "choice",
    field: "agent.kind",
    label: "Agent worker",
    choices: [
      choice("none", "None"),
      choice("image", "My image", "A worker made with LiveKit's agent framework, beside LiveKit."),
    ],
  },
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
  {
    kind: "lines",
    field: "webhooks",
    label: "Webhooks",
    placeholder: "https://app.example.com/livekit/events",
    hint: "Addresses that LiveKit tells what happens in rooms, up to five, one on each line. They are signed with a key of their own.",
  },
];
