import type { AppContext } from "~/http/app-context";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

/**
 * Notes in the audit log what people did by links in messages and at PagerDuty, which the servers Worker has until then.
 * Where that fails the log is shown without it, and it is noted another time.
 */
export async function noteAnswers(
  { bindings: { FLEETS }, configuration }: Pick<AppContext, "bindings" | "configuration">,
  workspace: string,
): Promise<void> {
  try {
    const answers = await FLEETS.answers(workspace);
    if (answers.length === 0) return;
    await serviceClient(configuration).rpc("note_answers", { workspace, answers }).throwOnError();
    await FLEETS.removeAnswers(
      workspace,
      answers.map(({ id }) => id),
    );
  } catch (error) {
    log.error("What people did by links was not noted in the audit log", describeError(error));
  }
}
