import { saveFile } from "../download/save-file";

/** Posts the form that asks for a zip, and hands it to the person. False where the server did not send one. */
export async function fetchZip(address: string, form: FormData, name: string): Promise<boolean> {
  try {
    // As the browser sends it: the guards read no other encoding.
    const fields = [...form].flatMap(([field, value]) =>
      typeof value === "string" ? [[field, value]] : [],
    );
    const response = await fetch(address, { method: "POST", body: new URLSearchParams(fields) });
    if (response.headers.get("content-type") !== "application/zip") return false;
    saveFile(await response.blob(), name);
    return true;
  } catch {
    return false;
  }
}
