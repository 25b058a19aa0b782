import type { DeploymentOptions } from "../../../app/features/deployments/bundle/options/options.ts";
import type { PicturedScreenName } from "../../../app/features/marketing/pictures/pictured-screens.ts";
import { stages } from "../../../app/features/servers/state/state.ts";
import {
  diskSize,
  diskUsed,
  participantsAt,
} from "../../../app/features/servers/trial/simulated-past.ts";
import { givePast, type Past } from "../../../scripts/dev/seed/servers-past.ts";
import { buyForTeam } from "../billing/hosted-pages.ts";
import { defaultOptions } from "../deployments/bundle-cases.ts";
import { storeDeployment, storeVersion } from "../deployments/deployments.ts";
import { enrolMachine } from "../servers/connect-server.ts";
import type { Machine } from "../servers/machine.ts";
import { machine as described } from "../servers/report-lines.ts";
import { sessionLines, sessions } from "../servers/session-lines.ts";
import { runSql } from "../site/control-fakes.ts";
import type { Visitor } from "../site/visitor.ts";
import { newWorkspace } from "../workspaces/workspaces.ts";
import { signedUpByMail } from "./prepare-workspaces.ts";
import { ScreenFleet } from "./shown-fleet.ts";

const email = "operations@example.com";
const team = "/dashboard/w/classrooms";

/** Where each pictured screen is, and the heading that its picture begins with: without one the whole page. */
type PicturedPage = { path: string; from?: string };

export type PicturedConsole = {
  person: Visitor;
  fleet: ScreenFleet;
  pages: Record<PicturedScreenName, PicturedPage>;
};

/** So many people are in calls at the best hour, which was three hours ago. */
const crowd = (busiest: number, more: Partial<Past> = {}) => ({
  ...{ busiest, wasDown: false, isSameEachDay: true as const },
  ...{ peakHour: (new Date().getUTCHours() + 21) % 24, ...more },
});

type Crowd = ReturnType<typeof crowd>;

const stageLines = (count: number, begin: number) =>
  Object.keys(stages)
    .slice(0, count)
    .map((stage, at) => `stage\t${stage}\t${begin + 41 * at}`);

const seconds = () => Math.floor(Date.now() / 1_000);

/** What a server reports that booted forty days ago. */
function running(past: Crowd): string[] {
  const people = participantsAt(past, Date.now());
  return [
    ...stageLines(7, seconds() - 40 * 86_400),
    ...["cpus\t8", `load\t${(0.15 + people * 0.04).toFixed(2)}`],
    ...[`memory\t${2_300_000 + people * 22_000}\t16000000`, `disk\t${diskUsed(past)}\t${diskSize}`],
    "service\tlivekit\tlivekit/livekit-server:v1.13.11\trunning\thealthy",
    "service\tcaddy\tlivekit/caddyl4:v2.11.4\trunning\t",
    "service\tredis\tredis:7.4.11-alpine\trunning\t",
    ...[`metric\tparticipants\t${people}`, `metric\trooms\t${Math.ceil(people / 4)}`],
  ];
}

/** Who could not get in, as the machine names them. */
const caller = "4be1d07a92c3";

/** A room of two hours ago, which three people entered and one could not. */
const failedCall = sessionLines(
  [
    ...["room_started 0", "participant_joined@a 1", "participant_joined@b 260"],
    "track_published@a 2 track=TR_VC8bq source=CAMERA type=VIDEO mime=video/VP8 size=1280x720",
    "track_published@a 2 track=TR_AMx3p source=MICROPHONE mime=audio/opus",
    ...["participant_joined@d 420", "participant_connection_aborted@c 535 reason=JOIN_FAILURE"],
    ...["a 1790", "b 1795", "d 1801"].map(
      (left) => `participant_left@${left} reason=CLIENT_INITIATED`,
    ),
    "room_finished 1830",
  ],
  { begin: Date.now() - 120 * 60_000 },
).map((line) => line.replaceAll("c".repeat(12), caller));

/** A team with servers in two regions, of which one needs somebody and one boots. */
export async function preparePicturedConsole(serversUrl: string): Promise<PicturedConsole> {
  const person = await signedUpByMail(email);
  const workspace = await newWorkspace(email, "classrooms");
  await runSql("update public.workspaces set name = 'Classrooms' where id = $1", [workspace.id]);
  await buyForTeam(person, team, "pro");
  const answers = { ...defaultOptions, email, monitoring: "advanced", updates: "weekly" } as const;
  const frankfurt: DeploymentOptions = {
    ...{ ...answers, domain: "fra.example.com", provider: "hetzner", region: "eu-west" },
    ...{ recording: { kind: "local" }, ingress: "both" },
  };
  const fra = await storeDeployment(email, frankfurt, "Frankfurt", workspace.id);
  const larger: DeploymentOptions = { ...frankfurt, size: "large", updates: "monthly" };
  await storeVersion(email, fra, larger, 1, "Frankfurt");
  const virginia = { ...answers, domain: "iad.example.com" };
  const iad = await storeDeployment(email, virginia, "Virginia", workspace.id);
  await person.post(`${team}/deployments/${fra}/versions`, { noted: "2", note: "For the exams" });
  const machines: Machine[] = [];
  for (const [deployment, name] of [
    [fra, "fra-1"],
    [fra, "fra-2"],
    [iad, "iad-1"],
    [iad, "iad-2"],
  ] as const) {
    const page = `${team}/deployments/${deployment}`;
    machines.push(await enrolMachine(person, page, `i-${name}`, name));
  }
  const key = "e93facc04764012d7bfb002500d5d1a6";
  await person.post(`${team}/alerts`, { intent: "add-pagerduty", key, turn: "second" });
  const fleet = new ScreenFleet(person, workspace.id, machines);
  const says = (at: number, lines: readonly string[], deployment: string, version: number) => {
    const files = `made-from\t${deployment}\t${version}\t${described.version}`;
    // Nothing is examined before the first boot is over.
    const doctor = lines.some((line) => line.startsWith("stage\tready")) ? seconds() : undefined;
    return fleet.says(at, [...lines, files], { doctor });
  };
  const crowds = [crowd(96, { wasDown: true }), crowd(118, { disk: 0.93 }), crowd(54)] as const;
  const full = "finding\tdisk.full\tcritical\t/\t93 %\t90 %";
  await says(0, [...running(crowds[0]), ...failedCall], fra, 2);
  await says(1, [...running(crowds[1]), full], fra, 2);
  await says(2, running(crowds[2]), iad, 1);
  await says(3, stageLines(5, seconds() - 190), iad, 1);
  await givePast(
    serversUrl,
    workspace.id,
    crowds.map((past, at) => ({ ...past, server: fleet.server(at) })),
  );
  const server = (at: number) => `${team}/servers/${fleet.server(at)}`;
  return {
    ...{ person, fleet },
    pages: {
      fleet: { path: team },
      review: { path: `${team}/deployments/${fra}/edit?step=review`, from: "Review" },
      boot: { path: server(3), from: "iad-2" },
      server: { path: server(0), from: "Figures" },
      versions: { path: `${team}/deployments/${fra}/versions`, from: "What changed from v1 to v2" },
      incident: { path: server(1), from: "fra-2" },
      call: {
        path: `${server(0)}/sessions/${sessions.room}/PA_clice1234`,
        from: `Call of ${caller.slice(0, 6)}`,
      },
    },
  };
}
