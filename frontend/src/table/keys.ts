/** What a key means at the table. The same keys as `pitbook play`, wherever they can be. */

import type { DecideOffer } from "../live/view";

export type Meaning =
  | { does: "play"; play: string }
  | { does: "double" }
  | { does: "chip"; number: number }
  | { does: "add" | "less" | "next-wager" | "last-wager" | "next-spot" }
  | { does: "deal" | "rebet" | "undo" | "hint" | "coach" | "text" | "clauses" | "keys" };

const ALWAYS: Record<string, Meaning["does"]> = {
  "?": "keys",
  k: "coach",
  t: "text",
  c: "clauses",
};
const BETTING: Record<string, Meaning["does"]> = {
  Enter: "deal",
  r: "rebet",
  u: "undo",
  ArrowUp: "add",
  ArrowDown: "less",
  ArrowRight: "next-wager",
  ArrowLeft: "last-wager",
  "+": "add",
  "-": "less",
};

/** The meaning of a key while betting, or while a seat decides; null where it has none. */
export function meaning(key: string, decide: DecideOffer | null): Meaning | null {
  const pressed = key.length === 1 ? key.toLowerCase() : key;
  if (decide) {
    const found = deciding(pressed, decide);
    if (found) return found;
  } else if (BETTING[pressed]) {
    return { does: BETTING[pressed] } as Meaning;
  } else if (/^[1-9]$/.test(pressed)) {
    return { does: "chip", number: Number(pressed) };
  }
  if (pressed === "s") return { does: "next-spot" };
  return ALWAYS[pressed] ? ({ does: ALWAYS[pressed] } as Meaning) : null;
}

function deciding(key: string, { choices }: DecideOffer): Meaning | null {
  const plays = choices.map((choice) => choice.play);
  const play = plays.find((one) => one.charAt(0) === key && !one.endsWith("+double"));
  if (play !== undefined) return { does: "play", play };
  if (key === "d" && plays.some((one) => one.endsWith("+double"))) return { does: "double" };
  if (key === hintKey(plays)) return { does: "hint" };
  return null;
}

/** H, but in hi-lo that declares high: there it is A. */
export const hintKey = (plays: readonly string[]): string => (plays.includes("high") ? "a" : "h");

/** Whether a key belongs to what has the focus: text is typed, buttons are pressed, radios walked. */
export function isTheirs(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target as Element;
  if (target.closest("input:not([type=radio], [type=checkbox]), select, textarea, dialog"))
    return true;
  if (event.key === " " || (event.key === "Enter" && target.closest("a, button, summary")))
    return true;
  return event.key.startsWith("Arrow") && target.closest("input, [role=tablist]") !== null;
}

/** A mouse or a finger leaves no focus behind on what it pressed: the next key is the table's. */
export function letGo(event: MouseEvent): void {
  const pressed = (event.target as Element).closest<HTMLElement>(
    "button, [type=radio], [type=checkbox]",
  );
  if ((event as PointerEvent).pointerType) pressed?.blur();
}

/** Every key with what it does, for the list that ? shows. */
export function keyList(plays: readonly string[]): [keys: string, does: string][] {
  const single = plays.filter((play) => !play.endsWith("+double"));
  return [
    ["Enter", "deal; at a table with others: ready"],
    ["1 to 6", "before the deal: choose a chip"],
    ["↑ ↓", "one chip more or less on the chosen circle"],
    ["← →", "choose a circle"],
    ["R", "the same bets again"],
    ["U", "undo the last change of a bet"],
    ...single.map((play): [string, string] => [
      play.charAt(0).toUpperCase(),
      SAID[play] ?? `bet ${play}`,
    ]),
    ...(plays.some((play) => play.endsWith("+double"))
      ? ([["D", "double on or off"]] as [string, string][])
      : []),
    [hintKey(plays).toUpperCase(), "a hint of the coach, in practice"],
    ["K", "coach on or off, in practice"],
    ["S", "the other of two spots"],
    ["T", "the table as text"],
    ["C", "clauses with results"],
    ["?", "this list"],
  ];
}

const SAID: Record<string, string> = { fold: "fold", low: "declare low", high: "declare high" };
