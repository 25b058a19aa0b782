import { saveFile } from "../download/save-file";

/** Fetches a zip and hands it to the person. False where the server did not send one. */
export async function fetchZip(address: string, name: string): Promise<boolean> {
  try {
    const response = await fetch(address);
    if (response.headers.get("content-type") !== "application/zip") return false;
    saveFile(await response.blob(), name);
    return true;
  } catch {
    return false;
  }
}
