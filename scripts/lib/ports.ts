import { createServer } from "node:net";
import { PlainFailure } from "./terminal.mjs";

/** A port from the environment, or the default. */
export function portFromEnvironment(name: string, fallback: number): number {
  const text = process.env[name];
  if (text === undefined || text === "") return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_000) {
    throw new PlainFailure(`${name} must be a port number from 1 to 65000, not "${text}".`);
  }
  return port;
}

function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EADDRINUSE"));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(false)));
  });
}

/** Fails with one line that says which port is taken and how to choose another. */
export async function requireFreePorts(options: {
  command: string;
  sitePort: number;
  portBase: number;
  fakePorts: number[];
}): Promise<void> {
  for (const host of ["127.0.0.1", "::1"]) {
    if (await isTaken(options.sitePort, host)) {
      throw new PlainFailure(
        `Port ${options.sitePort} is taken. Stop what uses it, or choose another: PORT=${options.sitePort + 1} ${options.command}`,
      );
    }
  }
  for (const port of options.fakePorts) {
    if (await isTaken(port, "127.0.0.1")) {
      throw new PlainFailure(
        `Port ${port} is taken. Stop what uses it, or choose others: LOCAL_PORT_BASE=${options.portBase + 100} ${options.command}`,
      );
    }
  }
}
