// What the machine's doctor finds, by the rules of its own script.
import { resolve } from "node:path";
import { domain, turnName } from "../server-network.ts";
import { address, inside } from "./places.ts";

export type Found = { code: string; subject: string };

const scripts = resolve("app/features/deployments/bundle/scripts/doctor");

/** Runs on the server what comes after the rules have been read, in a folder of its own, as doctor.sh does. */
function foundBy(commands: string): Found[] {
  const output = inside(
    "server",
    "sh -s",
    `finding() { printf '%s\\t%s\\n' "$1" "$2"; }
    good() { :; }
    names() { printf '%s\\n' ${domain} "$@"; }
    work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work" && mkdir state
    echo NODE_IP=${address.server} >state/address.env
    SYSTEM=Debian ADDRESSES=both TURN_DOMAIN=${turnName} DOMAIN=${domain} tls_port=443 turn_name=
    . ${scripts}/machine.sh
    . ${scripts}/network.sh
    ${commands}`,
  );
  return output
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [code = "", subject = ""] = line.split("\t");
      return { code, subject };
    });
}

/** `theirs`: what the clock of the certificate authority says. */
export const clockByDoctor = (theirs: number): Found[] =>
  foundBy(`echo "Date: ${new Date(theirs).toUTCString()}" >"$work/time"; synchronized=; clock`);

export const diskByDoctor = (disk: string): Found[] => foundBy(`HERE=${disk}; disk`);

export const namesByDoctor = (): Found[] => foundBy("ask_network; wait; dns");
