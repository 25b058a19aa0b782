import { type FormValues, forgetDraftOfAnybody } from "../questions/kept-draft.client";
import { type OperationResult, unsure } from "../tools/operation";

/** The address of an operation and what it is called with. */
export type OperationCall = { address: string; formValues: FormValues };

/**
 * Posts a call to its operation, with the browser's time zone. No answer is an outcome too. The request goes on
 * after its dialog is closed.
 */
export async function requestOperation({
  address,
  formValues,
}: OperationCall): Promise<OperationResult> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const body = new URLSearchParams({ timeZone, ...formValues });
  try {
    const response = await fetch(address, { method: "POST", body });
    return (await response.json()) as OperationResult;
  } catch {
    return { ok: false, status: 503, message: unsure };
  }
}

/** The same, and forgets the draft that was used: the dialog may be closed before the answer arrives. */
export async function requestWithDraft(call: OperationCall): Promise<OperationResult> {
  const outcome = await requestOperation(call);
  const [tool, tab] = call.address.split("/").slice(-2);
  // A list of messages answers nobody yet: what was typed is still to be sent.
  if (outcome.ok && call.formValues.step !== "messages") forgetDraftOfAnybody(`${tool} ${tab}`);
  return outcome;
}
