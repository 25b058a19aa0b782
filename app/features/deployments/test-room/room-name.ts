/** With what the name of every room begins that is made for a test. Such rooms are no sessions of a customer's. */
export const testRoomPrefix = "test-call-";

export function testRoomName(): string {
  return `${testRoomPrefix}${crypto.randomUUID()}`;
}
