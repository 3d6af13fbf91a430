/** Keys of whoever runs a clock; they are nobody's while something is typed or a dialog is open. */

import { isTheirs } from "../table/keys";

export type ClockKey = "pause" | "more" | "less" | "next" | "previous";

const KEYS: Record<string, ClockKey> = {
  " ": "pause",
  "+": "more",
  "=": "more", // The same key without Shift.
  "-": "less",
  n: "next",
  p: "previous",
};

/** What a key asks of the clock; null where it is not meant for it. */
export function clockKey(event: KeyboardEvent): ClockKey | null {
  if (event.repeat || document.querySelector("dialog[open]")) return null;
  const target = event.target as Element;
  const free = event.key === " " ? target === document.body : !isTheirs(event);
  return free ? (KEYS[event.key.toLowerCase()] ?? null) : null;
}
