/** Keyboard control of the clock, disabled while the user types or a dialog is open. */

import { isHandledByFocus } from "../table/keys";

export type ClockKey = "pause" | "more" | "less" | "next" | "previous";

const KEYS: Record<string, ClockKey> = {
  " ": "pause",
  "+": "more",
  "=": "more", // The + key without Shift.
  "-": "less",
  n: "next",
  p: "previous",
};

/** The clock command of a key, or null. */
export function clockKey(event: KeyboardEvent): ClockKey | null {
  if (event.repeat || document.querySelector("dialog[open]")) return null;
  const target = event.target as Element;
  const free = event.key === " " ? target === document.body : !isHandledByFocus(event);
  return free ? (KEYS[event.key.toLowerCase()] ?? null) : null;
}
