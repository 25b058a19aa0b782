/**
 * With what the name of every room begins that is made for a test, here and by the machine's own commands. Such rooms are
 * no sessions of a customer's: sessions.py leaves them out.
 */
export const testRoomPrefix = "livekit-deploy-test";

export function testRoomName(): string {
  return `${testRoomPrefix}-${crypto.randomUUID()}`;
}
