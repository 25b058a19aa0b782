/** Whether a server may have this id: the fleets are not asked for another. */
export const isServerId = (id: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
