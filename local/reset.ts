import { rm } from "node:fs/promises";
import { standInAddresses } from "./addresses.ts";

async function resetRunning(): Promise<boolean> {
  const url = `${standInAddresses().mail.url}/_local/reset-all`;
  let response: Response;
  try {
    response = await fetch(url, { method: "POST" });
  } catch {
    return false;
  }
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return true;
}

if (await resetRunning()) {
  console.log("✓ Emptied the data of the running stand-ins");
} else {
  await rm(".local", { recursive: true, force: true });
  console.log("✓ Deleted the local data in .local");
}
