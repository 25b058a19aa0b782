import { useEffect, useState } from "react";
import { shellWord } from "../bundle/quoting.ts";

const storageKey = "sshKeyName";
const placeholder = "MY_KEY";

/** What somebody's SSH key is called at the provider, kept in this browser where it allows that. */
export function useKeyName(): [name: string, keep: (name: string) => void] {
  const [name, setName] = useState("");
  // The server knows no name, so the first render has none.
  useEffect(() => {
    try {
      setName(localStorage.getItem(storageKey) ?? "");
    } catch {}
  }, []);
  function keep(typed: string) {
    setName(typed);
    try {
      localStorage.setItem(storageKey, typed);
    } catch {}
  }
  return [name, keep];
}

/** Whether a command asks for the name of a key. */
export function asksForKeyName(command: string): boolean {
  return command.includes(placeholder);
}

/** A command with the key's name in it, once there is one. */
export function withKeyName(command: string, name: string): string {
  const word = shellWord(name.trim());
  return name.trim() === "" ? command : command.replaceAll(placeholder, () => word);
}
