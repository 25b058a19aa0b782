import { type FormValues, forgetDraft } from "../questions/saved-draft.client";
import { type OperationResult, unsure } from "../tools/operation";

/** The address of an operation, what it is called with, and the draft that it carries out, if it does. */
export type OperationCall = {
  address: string;
  formValues: FormValues;
  draft?: { owner: string; form: string } | undefined;
};

/**
 * Posts a call to its operation, with the browser's time zone. No answer is an outcome too. The request goes on
 * after its dialog is closed.
 */
export async function requestOperation({
  address,
  formValues,
}: Omit<OperationCall, "draft">): Promise<OperationResult> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const body = new URLSearchParams({ timeZone, ...formValues });
  try {
    const response = await fetch(address, { method: "POST", body });
    return (await response.json()) as OperationResult;
  } catch {
    return { ok: false, status: 503, message: unsure };
  }
}

/** The same, and forgets the draft that was carried out: the dialog may be closed before the answer arrives. */
export async function requestWithDraft(call: OperationCall): Promise<OperationResult> {
  const outcome = await requestOperation(call);
  if (outcome.ok && call.draft) forgetDraft(call.draft.owner, call.draft.form);
  return outcome;
}
