import type { BundleFile, Language } from "../bundle-types.ts";
import { severalOf } from "../options/derived-options.ts";
import type { DeploymentOptions } from "../options/options.ts";

/** What the security level changes on the machine itself, outside the containers. */
export function hardening(options: DeploymentOptions): BundleFile[] {
  const { security, system } = options;
  const enterprise = security === "enterprise";
  const files = [
    host(
      "sshd.conf",
      "/etc/ssh/sshd_config.d/10-livekit.conf",
      "conf",
      "SSH by key only.",
      `PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
X11Forwarding no
MaxAuthTries 4
`,
    ),
    host(
      "docker-daemon.json",
      "/etc/docker/daemon.json",
      "json",
      "Containers outlive an update of Docker.",
      `{ "live-restore": true, "log-driver": "local" }
`,
    ),
    host(
      "sysctl.conf",
      "/etc/sysctl.d/60-livekit.conf",
      "conf",
      "Kernel settings.",
      [
        "net.core.rmem_max = 5000000",
        "net.core.wmem_max = 5000000",
        "vm.overcommit_memory = 1",
        // A machine without power closes nothing. After 13 seconds in which it has taken no byte the edge ends what leads to it, so
        // that its clients begin again elsewhere; by default that takes a quarter of an hour.
        ...(severalOf(options) ? ["net.ipv4.tcp_retries2 = 5"] : []),
        ...(security === "standard" ? [] : strictKernel),
        ...(enterprise ? ["fs.suid_dumpable = 0", "kernel.core_pattern = |/bin/false"] : []),
        "",
      ].join("\n"),
    ),
    system === "ubuntu-24.04"
      ? host(
          "unattended-upgrades.conf",
          "/etc/apt/apt.conf.d/52livekit",
          "conf",
          "Security updates of the system, by themselves.",
          `APT::Periodic::Update-Package-Lists "1";
APT::Periodic::Unattended-Upgrade "1";
`,
        )
      : host(
          "dnf-automatic.conf",
          "/etc/dnf/automatic.conf",
          "ini",
          "Security updates of the system, by themselves.",
          `[commands]
upgrade_type = security
download_updates = yes
apply_updates = yes

[emitters]
emit_via = stdio
`,
        ),
  ];
  if (system === "amazon-linux-2023")
    files.push(
      host(
        "dnf-releasever",
        "/etc/dnf/vars/releasever",
        "conf",
        "Updates of every release, where the image would stay with its own.",
        "latest\n",
      ),
    );
  if (enterprise)
    files.push(
      host(
        "audit.rules",
        "/etc/audit/rules.d/50-livekit.rules",
        "conf",
        "Who changed the configuration, and who read the secrets.",
        `-a never,exit -F dir=/opt/livekit/data
-a never,exit -F dir=/opt/livekit/out
-w /opt/livekit -p wa -k livekit
-w /opt/livekit/secrets.env -p r -k livekit-secrets
-w /etc/livekit -p wa -k livekit
`,
      ),
      host(
        "coredump.conf",
        "/etc/systemd/coredump.conf.d/50-livekit.conf",
        "ini",
        "No core dumps: they could hold secrets.",
        `[Coredump]
Storage=none
ProcessSizeMax=0
`,
      ),
    );
  return files;
}

const strictKernel = [
  "kernel.dmesg_restrict = 1",
  "kernel.kptr_restrict = 2",
  "kernel.unprivileged_bpf_disabled = 1",
  "kernel.yama.ptrace_scope = 1",
  "net.ipv4.conf.all.accept_redirects = 0",
  "net.ipv4.conf.all.send_redirects = 0",
  "net.ipv6.conf.all.accept_redirects = 0",
  "net.ipv4.tcp_syncookies = 1",
];

function host(
  path: string,
  installedPath: string,
  language: Language,
  purpose: string,
  content: string,
): BundleFile {
  const installed = { path: installedPath, mode: "0644", owner: "root:root" } as const;
  return { path, content, language, purpose, installed };
}
