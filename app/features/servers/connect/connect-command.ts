const script = "livekit-connect.sh";
const manifest = "livekit-connect.yaml";
const sessions = "livekit-sessions.py";

/** Fetches a file from the servers Worker, and goes on with it only where it is the one with this hash. */
const verified = (file: string, url: string, sha256: string): string =>
  `curl -fsSo ${file} ${url} && echo "${sha256}  ${file}" | sha256sum -c`;

/** Fetches the script, runs it only where it is the one with this hash, and says to it where the console is. */
export function connectCommand(serversUrl: string, sha256: string): string {
  const fetched = verified(script, `${serversUrl}/v1/connect.sh`, sha256);
  return `${fetched} && sudo sh ${script} ${serversUrl}`;
}

/** The same with the program that takes LiveKit's events on a machine that is connected. It asks before it does anything. */
export function sessionsCommand(serversUrl: string, sha256: string): string {
  const fetched = verified(sessions, `${serversUrl}/v1/${sessions}`, sha256);
  return `${fetched} && sudo python3 ${sessions} install`;
}

/** The same in a cluster: the manifest, then what it may not have in a file. The token is pasted, so no shell remembers it. */
export function clusterCommands(serversUrl: string, sha256: string) {
  const fetched = verified(manifest, `${serversUrl}/v1/connect.yaml`, sha256);
  const apply = `${fetched} && kubectl apply -f ${manifest}`;
  const values = [`console=${serversUrl}`, "service=livekit-server.default.svc"];
  const secret = [
    "kubectl create secret generic livekit-connect -n livekit-connect",
    ...values.map((value) => `--from-literal=${value}`),
    '--from-literal=seed="$(openssl rand -hex 32)"',
    "--from-file=token=/dev/stdin",
  ].join(" ");
  return { apply, secret };
}
