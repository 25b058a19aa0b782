import type { UserData } from "../bundle/bundle-types.ts";

/** How large the user data is, and how it reaches the machine. */
export function userDataLine({ form, bytes, limit, fits }: UserData, isOfSeveral = false): string {
  const size = kibibytes(bytes);
  if (limit === null) return `User-data is ${size}.`;
  const max = kibibytes(limit);
  // Several machines have no create-vm.sh.
  if (isOfSeveral && bytes > limit) {
    return `User-data is ${size}, and the provider takes ${max}: the README says what does instead.`;
  }
  if (!fits) {
    return `User-data is ${size}, and the provider takes ${max}: even compressed it may not fit.`;
  }
  if (form === "bucket") {
    return `User-data is ${size}, and the provider takes ${max}: create-vm.sh compresses it, and hands it over through a private bucket of yours when that is not enough.`;
  }
  if (form === "ssh") {
    return `User-data is ${size}, and the provider takes ${max}: create-vm.sh compresses it, and copies the files to the machine by SSH when that is not enough.`;
  }
  return bytes > limit
    ? `User-data is ${size}: create-vm.sh compresses it for the ${max} that the provider takes.`
    : `User-data takes ${size} of the ${max} that the provider allows.`;
}

function kibibytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
