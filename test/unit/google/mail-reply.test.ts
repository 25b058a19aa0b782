import { expect, test } from "vitest";
import { receiversOfReply } from "../../../app/features/google/mail/gmail-operations.server.ts";

const me = "jo@example.com";

function receivers(fields: Record<string, string>, email = me) {
  const read = receiversOfReply((name) => fields[name] ?? "", email);
  return read.ok ? read.mailboxes : read;
}

test.each([
  ["=?UTF-8?Q?M=C3=BCller=2C_J=C3=B6rg?= <jm@example.org>", "Müller, Jörg"],
  ["=?utf-8?B?TcO8bGxlciwgSsO2cmc=?= <jm@example.org>", "Müller, Jörg"],
  ['"=?UTF-8?Q?M=C3=BCller=2C_J=C3=B6rg?=" <jm@example.org>', "Müller, Jörg"],
  ['"Miller, Jo" <jm@example.org>', "Miller, Jo"],
  ["=?UTF-8?Q?x=2C_victim=40example.net=2C_y?= <jm@example.org>", "x, victim@example.net, y"],
  ["=?UTF-8?Q?=3Cvictim=40example.net=3E?= <jm@example.org>", "<victim@example.net>"],
  ["=?UTF-8?Q?a=0D=0ABcc=3A_b?= <jm@example.org>", "a Bcc: b"],
  ["jm@example.org", ""],
])("an answer to %s goes to one address and keeps the name", (From, name) => {
  expect(receivers({ From })).toEqual([{ name, address: "jm@example.org" }]);
});

test("an answer goes where the sender wants it, and to those of one's own message", () => {
  const others = "=?UTF-8?Q?M=C3=BCller=2C_J=C3=B6rg?= <jm@example.org>,\r\n ann@example.org";
  const both = [
    { name: "Müller, Jörg", address: "jm@example.org" },
    { name: "", address: "ann@example.org" },
  ];
  expect(receivers({ From: "x@example.org", "Reply-To": others, To: me })).toEqual(both);
  expect(receivers({ From: "=?UTF-8?Q?J=C3=B6?= <Jo@Example.com>", To: others })).toEqual(both);
});

test("a message is one's own by its whole address only, and without an address nothing is", () => {
  const sender = [{ name: "", address: "anjo@example.com" }];
  expect(receivers({ From: "anjo@example.com", To: me })).toEqual(sender);
  const named = [{ name: me, address: "ann@example.org" }];
  expect(receivers({ From: `"${me}" <ann@example.org>`, To: me })).toEqual(named);
  expect(receivers({ From: "ann@example.org", To: me }, "")).toEqual([
    { name: "", address: "ann@example.org" },
  ]);
});

test("nobody gets an answer to a field that is not addresses", () => {
  for (const From of ["", "undisclosed-recipients:;", "=?UTF-8?Q?jm=40example.org?="]) {
    expect(receivers({ From })).toMatchObject({ ok: false });
  }
});
