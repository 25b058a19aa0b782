import { expect, test } from "vitest";
import { highlight } from "../../../app/features/deployments/files/highlighter.ts";
import { changesBetween } from "../../../app/features/deployments/record/changes.ts";

const before = [
  { path: "livekit.yaml", content: "port: 7880\nrtc:\n  tcp_port: 7881\n" },
  { path: "redis.conf", content: "port 6379\n" },
  { path: "update.sh", content: "#!/bin/sh\n" },
];

test("what changed between two bundles is listed by file and line", () => {
  const after = [
    { path: "livekit.yaml", content: "port: 7880\nrtc:\n  tcp_port: 7882\n" },
    { path: "ingress.yaml", content: "rtmp_port: 1935\n" },
    { path: "update.sh", content: "#!/bin/sh\n" },
  ];
  expect(changesBetween(before, after)).toEqual([
    {
      path: "livekit.yaml",
      kind: "changed",
      added: 1,
      removed: 1,
      hunks: [
        {
          before: 1,
          after: 1,
          lines: [
            { at: 0, kind: "kept", text: "port: 7880" },
            { at: 1, kind: "kept", text: "rtc:" },
            { at: 2, kind: "removed", text: "  tcp_port: 7881" },
            { at: 3, kind: "added", text: "  tcp_port: 7882" },
          ],
        },
      ],
    },
    {
      path: "ingress.yaml",
      kind: "added",
      added: 1,
      removed: 0,
      hunks: [{ before: 1, after: 1, lines: [{ at: 0, kind: "added", text: "rtmp_port: 1935" }] }],
    },
    {
      path: "redis.conf",
      kind: "removed",
      added: 0,
      removed: 1,
      hunks: [{ before: 1, after: 1, lines: [{ at: 0, kind: "removed", text: "port 6379" }] }],
    },
  ]);
});

test("two equal bundles differ in nothing", () => {
  expect(changesBetween(before, before)).toEqual([]);
});

test.each([
  ["yaml", "a: \"1 < 2 & '3'\" # <b>&amp;</b>\n"],
  ["shell", '#!/bin/sh\nset -eu\necho "$HOME" > /dev/null && exit 1\n'],
  ["nft", "table inet livekit {\n  tcp dport { 80, 443 } accept\n}\n"],
  ["ini", "[Service]\nExecStart=/bin/sh -c 'echo \"%%\"'\n"],
  ["unknown", "<script>alert(1)</script>\n"],
])("highlighting %s changes no character of it", (language, content) => {
  const runs = highlight(content, language);
  expect(runs.map(({ text }) => text).join("")).toBe(content);
});

test("names, values and comments have tones of their own", () => {
  const toneOf = (text: string) =>
    highlight("# note\nport: 7880\n", "yaml").find((run) => run.text.includes(text))?.tone;
  expect([toneOf("# note"), toneOf("port"), toneOf("7880")]).toEqual(["quiet", "name", "value"]);
});
