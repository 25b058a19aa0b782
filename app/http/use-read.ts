import { useEffect, useState } from "react";
import { isFailure, type ReadFailure } from "./read-failure";

type Reader<Value> = {
  data: Value | ReadFailure | undefined;
  load: (address: string) => Promise<void>;
};

/**
 * Reads an address by a fetcher, at once and whenever the address changes. The router reads it again after the
 * changes that the route's `shouldRevalidate` names. `value` is the newest that was read; `failure` is set if the
 * last reading failed.
 */
export function useRead<Value extends object>({ data, load }: Reader<Value>, address: string) {
  useEffect(() => {
    void load(address);
  }, [load, address]);
  const failure = data && isFailure(data) ? data : undefined;
  const value = useNewest(data && !isFailure(data) ? data : undefined);
  return { value, failure, readAgain: () => void load(address) };
}

/** The newest value that was read, for as long as nothing is read any more. */
export function useNewest<Value extends object>(read: Value | undefined): Value | undefined {
  const [newest, setNewest] = useState(read);
  if (read && read !== newest) setNewest(read);
  return read ?? newest;
}
