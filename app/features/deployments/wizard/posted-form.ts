import { type FormValues, readFormValues } from "./form-values";
import { type StepId, stepOf } from "./steps";

/** A form of the wizard as it was posted. */
export type PostedForm = {
  formValues: FormValues;
  /** The form that begins a deployment names no step. */
  step: StepId;
  /** The version that it was filled from; 0, which conflicts with every saved version, where it names none. */
  version: number;
};

export function readPostedForm(form: URLSearchParams): PostedForm {
  return {
    formValues: readFormValues(form),
    step: stepOf(form.get("step")),
    version: versionOf(form.get("version")),
  };
}

/** A version as a form or an address names it. */
export function versionOf(posted: string | null): number {
  return /^\d{1,9}$/.test(posted ?? "") ? Number(posted) : 0;
}
