import type { RunningWorker } from "../../../scripts/lib/worker.ts";

/** Runs statements of SQL on what a workspace's fleet keeps, one after the other. */
export async function changeRows(
  worker: RunningWorker,
  workspace: string,
  statements: readonly string[],
): Promise<void> {
  const { status, body } = await worker.askServers(`/_local/past?workspace=${workspace}`, {
    method: "POST",
    body: JSON.stringify(statements.map((statement) => [statement])),
  });
  if (status !== 200) throw new Error(`The statements failed: ${body}`);
}
