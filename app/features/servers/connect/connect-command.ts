const file = "livekit-connect.sh";
const manifest = "livekit-connect.yaml";

/** Fetches the script, runs it only where it is the one with this hash, and says to it where the console is. */
export function connectCommand(serversUrl: string, sha256: string): string {
  return [
    `curl -fsSo ${file} ${serversUrl}/v1/connect.sh`,
    `echo "${sha256}  ${file}" | sha256sum -c`,
    `sudo sh ${file} ${serversUrl}`,
  ].join(" && ");
}

/** The same in a cluster: the manifest, then what it may not have in a file. The token is pasted, so no shell remembers it. */
export function clusterCommands(serversUrl: string, sha256: string) {
  const apply = [
    `curl -fsSo ${manifest} ${serversUrl}/v1/connect.yaml`,
    `echo "${sha256}  ${manifest}" | sha256sum -c`,
    `kubectl apply -f ${manifest}`,
  ].join(" && ");
  const values = [`console=${serversUrl}`, "service=livekit-server.default.svc"];
  const secret = [
    "kubectl create secret generic livekit-connect -n livekit-connect",
    ...values.map((value) => `--from-literal=${value}`),
    '--from-literal=seed="$(openssl rand -hex 32)"',
    "--from-file=token=/dev/stdin",
  ].join(" ");
  return { apply, secret };
}
