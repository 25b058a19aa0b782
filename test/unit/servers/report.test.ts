import { expect, test } from "vitest";
import { parseReport } from "~/features/servers/ingest/report.ts";
import { machine, reportText } from "../../support/servers/report-lines.ts";

test("a report is read with all that a machine says", () => {
  const more = [
    "stage\tconnected\t1795313600",
    "doctor\t1795313650",
    "finding\tcert.expiring\twarning\tlivekit.example.com\t5 days\t30 days",
    "service\tlivekit\tlivekit/livekit-server:v1.13.5\trunning\thealthy",
    "certificate\tlivekit.example.com\t1796313650",
    "address\t4\t198.41.0.4",
    "load\t0.31",
    "cpus\t4",
    "memory\t1048576\t8388608",
    "network\t100\t200",
    "node\tND_abc\t1795313000",
    "metric\tparticipants\t3",
    "reboot-pending",
    "busy",
    "going\tupdate",
  ];
  const read = parseReport(reportText({}, more));
  expect(read).toMatchObject({
    ok: true,
    report: {
      seq: 1,
      boot: machine.boot,
      at: 1_795_313_698_000,
      stages: [{ code: "connected", at: 1_795_313_600_000 }],
      findings: [{ code: "cert.expiring", severity: "warning", wanted: "30 days" }],
      services: [{ name: "livekit", state: "running" }],
      addresses: [{ family: 4, address: "198.41.0.4" }],
      load: 0.31,
      memory: { used: 1_048_576, total: 8_388_608 },
      metrics: { participants: 3 },
      rebootPending: true,
      isBusy: true,
      going: "update",
    },
  });
});

test("a kind of line that is newer than the Worker is skipped", () => {
  expect(parseReport(reportText({}, ["battery\t97"])).ok).toBe(true);
});

test.for([
  ["a sequence number that is a word", reportText({ seq: "first" }), 2],
  ["a clock that says the year 10000", reportText({ at: 999_999_999_999 }), 6],
  ["a boot that is no UUID", reportText({ boot: "today" }), 3],
  ["an escape sequence of a terminal", reportText({}, ["load\t1", "service\ta\tb\tc\t\x1b[2J"]), 9],
  ["a surplus field", reportText({}, ["load\t1\t2"]), 8],
  ["a severity that nobody has", reportText({}, ["finding\ta.b\tfatal\t\t\t"]), 8],
  ["a metric that is not a number", reportText({}, ["metric\trooms\tNaN"]), 8],
  ["no sequence number", reportText({ seq: undefined }), 0],
  ["another first line", "{}", 1],
  ["nothing", "", 1],
] as const)("a report with %s is not read, and its line is named", ([, text, line]) => {
  expect(parseReport(text)).toEqual({ ok: false, line });
});

test("a machine whose clock was never set is read: its clock orders nothing", () => {
  expect(parseReport(reportText({ at: 0 }))).toMatchObject({ ok: true, report: { at: 0 } });
});

test("ten thousand lines of one kind are not kept", () => {
  const services = Array.from({ length: 10_000 }, (_, at) => `service\ts${at}\ti\trunning\t`);
  const read = parseReport(reportText({}, services));
  expect(read.ok && read.report.services.length).toBe(60);
});

test("a domain is read where it is a name of the internet, and anything else says nothing", () => {
  const domainOf = (domain: string) => {
    const read = parseReport(reportText({}, [`domain\t${domain}`]));
    return read.ok ? read.report.domain : "unreadable";
  };
  expect(domainOf("rtc.example.com")).toBe("rtc.example.com");
  const long = `${"a23456789.".repeat(25)}com`;
  expect(domainOf(long)).toBe(long);
  for (const other of [`b${long}`, "localhost", "203.0.113.7", "rtc.example.com:443", "a b.com"]) {
    expect(domainOf(other)).toBeUndefined();
  }
});

test("the name of TURN over TLS is read where it is a name of the internet, and is none where it is empty or another", () => {
  const turnOf = (lines: readonly string[]) => {
    const read = parseReport(reportText({}, lines));
    return read.ok ? read.report.turnName : "unreadable";
  };
  expect(turnOf(["turn-name\trelay.example.com"])).toBe("relay.example.com");
  expect(turnOf(["turn-name\t"])).toBeNull();
  expect(turnOf(["turn-name\t127.0.0.1"])).toBeNull();
  expect(turnOf([])).toBeUndefined();
});

test("names of 253 characters and images of 400 are read whole, and what is longer is cut", () => {
  const [name, image] = ["n".repeat(253), "i".repeat(400)];
  const read = parseReport(
    reportText({}, [
      `finding\tdns.missing\tcritical\t${name}\tno address\tA 203.0.113.7`,
      `service\tlivekit\t${image}more\trunning\t`,
    ]),
  );
  expect(read).toMatchObject({
    ok: true,
    report: { findings: [{ subject: name }], services: [{ image, state: "running" }] },
  });
});

test("of lines beyond what is kept nothing is looked at", () => {
  const loads = Array.from({ length: 60 }, () => "load\t1.5");
  expect(parseReport(reportText({}, [...loads, "load\tmuch"])).ok).toBe(true);
  const unknown = Array.from({ length: 4_000 }, () => "battery\t97");
  expect(parseReport(reportText({}, [...unknown, "load\tmuch"])).ok).toBe(true);
});
