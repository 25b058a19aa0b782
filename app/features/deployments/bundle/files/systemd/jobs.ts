import type { BundleFile } from "../../bundle-types.ts";
import { severalOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { weekdays } from "../../options/table/management.ts";
import { confined, stoppingMinutes, unit } from "./unit.ts";

/**
 * When the timers start their jobs, in UTC, which is the machine's time. The update is in the hour of maintenance, the
 * backup and its monthly trial in the hour before, the reboot two hours after. These hours may be on the day before or after.
 */
export function calendarsOf({ maintenance }: DeploymentOptions) {
  const at = (hours: number, minutes: number) => {
    const hour = maintenance.hour + hours;
    const day =
      weekdays.findIndex(({ value }) => value === maintenance.day) + Math.floor(hour / 24);
    const time = `${String((hour + 24) % 24).padStart(2, "0")}:${String(minutes).padStart(2, "0")}:00`;
    return { day: "SunMonTueWedThuFriSat".substr(((day + 7) % 7) * 3, 3), time };
  };
  const update = at(0, 30);
  const backup = at(-1, 0);
  const reboot = at(2, 0);
  const test = at(-1, 30);
  return {
    update: {
      weekly: `${update.day} *-*-* ${update.time}`,
      monthly: `${update.day} *-*-01..07 ${update.time}`,
    },
    backup: {
      daily: `*-*-* ${backup.time}`,
      weekly: `${backup.day} *-*-* ${backup.time}`,
      monthly: `*-*-01 ${backup.time}`,
    },
    backupTest: `*-*-15 ${test.time}`,
    reboot: `${reboot.day} *-*-* ${reboot.time}`,
  };
}

/** What timers start. */
export function jobs(options: DeploymentOptions): BundleFile[] {
  const { updates, backups, security } = options;
  const calendars = calendarsOf(options);
  const several = severalOf(options) !== undefined;
  return [
    ...job(options, "health", "Looks whether everything works", "*:0/5", "5min", false),
    // Several machines must not drain in the same hour: cluster.sh updates one after the other.
    ...(updates === "manual" || several
      ? []
      : job(
          options,
          "update",
          "Updates LiveKit",
          calendars.update[updates],
          `${2 * stoppingMinutes(options) + 110}min`,
          false,
        )),
    ...(backups.frequency === "none"
      ? []
      : job(
          options,
          "backup",
          "Backs up LiveKit",
          calendars.backup[backups.frequency],
          "1h",
          true,
        )),
    ...(backups.frequency === "none" && backups.target.kind === "machine"
      ? []
      : job(options, "backup-test", "Tries a restore", calendars.backupTest, "1h", true)),
    // The machines of a cluster must not reboot at the same hour: cluster.sh and a person do one after the other.
    ...(security === "enterprise" && !several ? rebootJob(calendars.reboot) : []),
  ];
}

/** A script that a timer starts. With `persistent` a run that was missed is made up for at boot. */
function job(
  options: DeploymentOptions,
  name: "health" | "update" | "backup" | "backup-test",
  title: string,
  calendar: string,
  timeout: string,
  persistent: boolean,
): BundleFile[] {
  return [
    unit(
      `livekit-${name}.service`,
      `${title}.`,
      `[Unit]
Description=${title}
After=livekit.service

[Service]
Type=oneshot
ExecStart=/opt/livekit/bin/${name}.sh
TimeoutStartSec=${timeout}
${confined(options)}`,
    ),
    unit(`livekit-${name}.timer`, `${title}: when.`, timer(title, calendar, persistent)),
  ];
}

function timer(title: string, calendar: string, persistent: boolean): string {
  return `[Unit]
Description=${title}: when

[Timer]
OnCalendar=${calendar}
${calendar.includes("/") ? "" : "RandomizedDelaySec=20min\n"}${persistent ? "Persistent=yes\n" : ""}
[Install]
WantedBy=timers.target
`;
}

/** A new kernel needs a reboot. Once a week the machine reboots, if an update waits for it. */
function rebootJob(calendar: string): BundleFile[] {
  return [
    unit(
      "livekit-reboot.service",
      "Reboots when a system update waits for it.",
      `[Unit]
Description=Reboots when a system update waits for it
After=livekit-update.service livekit-backup.service

[Service]
Type=oneshot
ExecStart=/bin/sh -c 'if [ -e /run/reboot-required ] || { command -v needs-restarting >/dev/null && ! needs-restarting -r >/dev/null; }; then systemctl --no-block reboot; fi'
`,
    ),
    unit(
      "livekit-reboot.timer",
      "The weekly hour for such a reboot.",
      timer("Reboots when needed", calendar, false),
    ),
  ];
}
