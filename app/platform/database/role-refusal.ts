/**
 * Whether a function of ours refused a change because of the role. PostgreSQL has the same code for a right that was
 * never granted, which is a fault of ours.
 */
export function isRoleRefusal({ code, message }: { code: string; message: string }): boolean {
  return code === "42501" && message.startsWith("This member may not");
}
