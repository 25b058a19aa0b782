import type { Change, Report } from "../state/server-record";

type Named = ReadonlyMap<string, string>;

/** What is different in a report, compared with the one that was taken before it. */
export function changesBetween(former: Report, latter: Report, now: number): Change[] {
  const change = (code: Change["code"], subject = "", from = "", to = ""): Change => ({
    ...{ at: now, code, subject, from, to },
  });
  const differences = (code: Change["code"], before: Named, after: Named) => {
    if (before.size + after.size === 0) return [];
    return [...new Set([...before.keys(), ...after.keys()])]
      .filter((name) => before.get(name) !== after.get(name))
      .map((name) => change(code, name, before.get(name), after.get(name)));
  };
  return [
    ...(former.boot === latter.boot ? [] : [change("boot")]),
    ...filesChange(former, latter).map(([from, to]) => change("version", "", from, to)),
    ...(former.node?.startedAt === latter.node?.startedAt || !latter.node || !former.node
      ? []
      : [change("node", "", former.node.id, latter.node.id)]),
    ...differences("address", addresses(former), addresses(latter)),
    ...differences("certificate", certificates(former), certificates(latter)),
    ...differences("service", services(former), services(latter)),
    ...differences("finding", findings(former), findings(latter)),
  ];
}

/** Other files, or the same ones as those of another version. What they were and became is said where it differs. */
function filesChange(former: Report, latter: Report): [from: string, to: string][] {
  const [from, to] = [versionWords(former), versionWords(latter)];
  if (from !== to) return [[from, to]];
  return former.version === latter.version ? [] : [["", ""]];
}

function versionWords({ madeFrom }: Report): string {
  if (!madeFrom) return "";
  return madeFrom.isChanged
    ? `version ${madeFrom.version}, changed`
    : `version ${madeFrom.version}`;
}

const addresses = ({ addresses }: Report): Named =>
  new Map(addresses.map(({ family, address }) => [`IPv${family}`, address]));

const certificates = ({ certificates }: Report): Named =>
  new Map(certificates.map(({ name, ends }) => [name, new Date(ends).toISOString().slice(0, 10)]));

const services = ({ services }: Report): Named =>
  new Map(services.map(({ name, image, state }) => [name, `${image} ${state}`.trim()]));

const findings = ({ findings }: Report): Named =>
  new Map(findings.map(({ code, severity, subject }) => [`${code} ${subject}`.trim(), severity]));
