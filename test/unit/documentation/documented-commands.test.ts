import { expect, test, vi } from "vitest";
import {
  codeBlocks,
  documentedPages,
  inlineCommands,
} from "../../support/documentation/code-blocks.ts";
import { untrueCommands } from "../../support/documentation/documented-deployment.ts";

vi.setConfig({ testTimeout: 60_000 });

const blocks = documentedPages.flatMap(codeBlocks);
const shells = blocks.filter(({ language }) => language === "bash");

/** What a page shows under the name of a file. */
const shownBy = (page: string) =>
  Object.fromEntries(
    blocks
      .filter((block) => block.page === page && /^[\w-]+\.(json|ts)$/.test(block.label))
      .map(({ label, text }) => [label, text]),
  );

test("a command that there is not, or that is asked for what there is not, is refused", () => {
  const refused = (commands: string) => untrueCommands(commands, {}, "opt/livekit").split("\n")[0];
  expect(refused("sudo livekit-deploy restart --now\n")).toBe("");
  expect(refused("sudo livekit-deploy reboot\n")).toBe("livekit-deploy reboot");
  expect(refused("sudo livekit-deploy logs sfu\n")).toBe("there is no service sfu");
  expect(refused("docker compose ps\n")).toBe("docker: not permitted without sudo");
  expect(refused("sudo docker compose down\n")).toMatch(/no such subcommand/);
  expect(refused("sudo systemctl restart livekit-sfu\n")).toBe("there is no unit livekit-sfu");
  expect(refused("sudo reboot-now\n")).toBe("reboot-now: there is no such command");
  expect(refused("sudo rm -rf data\n")).toBe("rm: there is no such command");
  expect(refused("cat no-such-file\n")).toBe("1 cat no-such-file");
  expect(refused("dig +short sfu.example.com A\n")).toBe("there is no name sfu.example.com");
  expect(refused("cat state/address.env\n")).toBe(
    "cat state/address.env: not permitted without sudo",
  );
  expect(refused("cd state\n")).toBe("cd state: not permitted without sudo");
  expect(refused("ls /opt/livekit/data/redis\n")).toBe(
    "ls /opt/livekit/data/redis: not permitted without sudo",
  );
  expect(refused("grep -c . secrets.env\n")).toBe("grep secrets.env: not permitted without sudo");
  expect(refused("scp ubuntu@livekit.example.com:/opt/livekit/out/a.mp4 .\n")).toBe(
    "scp /opt/livekit/out/a.mp4: not permitted without sudo",
  );
  expect(refused("ssh ubuntu@livekit.example.com ls -l /opt/livekit/out\n")).toBe(
    "ls /opt/livekit/out: not permitted without sudo",
  );
  expect(refused("sudo cat state/address.env secrets.env\nls data\ncat livekit.yaml\n")).toBe("");
  expect(refused("true # must fail\n")).toBe("did not fail: true # must fail");
});

test("the steps for a leak replace every secret that signs tokens", () => {
  const steps = shells.find(({ label }) => label === "On the machine, after a leak")?.text;
  const before = "sudo grep -E '^(LIVEKIT_API|WEBHOOK)_' secrets.env | cut -d = -f 2 >old";
  const after = "sudo grep -F -f old secrets.env # must fail";
  const session = (done?: string) => `${before}\n${done}\n${after}\n`;
  expect(untrueCommands(session(steps), {}, "opt/livekit")).toBe("");
  for (const step of ["sed", "livekit-deploy rotate finish"]) {
    const without = steps?.replace(new RegExp(`^sudo ${step}.*$`, "m"), "");
    expect(untrueCommands(session(without), {}, "opt/livekit")).toMatch(/^did not fail/);
  }
});

test.each(shells.map((block) => [block.place, block] as const))(
  "the commands at %s do what the page says on the machine that is made",
  (_, block) => {
    const earlier = shells.slice(0, shells.indexOf(block));
    const session = [...earlier.filter((each) => each.session === block.session), block]
      .map(({ text }) => text)
      .join("\n");
    expect(untrueCommands(session, shownBy(block.page))).toBe("");
  },
);

test.each(
  documentedPages.filter((page) => page.startsWith("docs/") && inlineCommands(page).length > 0),
)("the commands in the sentences of %s do so too", (page) => {
  const session = inlineCommands(page).join("\n");
  expect(untrueCommands(session, shownBy(page), "opt/livekit")).toBe("");
});
