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
    kind: "lines",
    field: "webhooks",
    label: "Webhooks",
    placeholder: "https://app.example.com/livekit/events",
    hint: "Addresses that LiveKit tells what happens in rooms, up to five, one on each line. They are signed with a key of their own.",
  },
];
