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
  const [value, setValue] = useState<Value>();
  useEffect(() => {
    void load(address);
  }, [load, address]);
  const failure = data && isFailure(data) ? data : undefined;
  if (data && !isFailure(data) && data !== value) setValue(data);
  return { value, failure, readAgain: () => void load(address) };
}
