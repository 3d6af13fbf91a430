/** Keyboard shortcuts at the table, the same as in `pitbook play` if possible. */

import type { Choice, DecideOffer } from "../api/types";
import { say } from "../words/say.svelte";
import { soleChoices, addOns } from "./choices";

export type KeyAction =
  | { does: "play"; play: string }
  | { does: "switch"; wager: string }
  | { does: "chip"; number: number }
  | { does: "add" | "less" | "next-wager" | "last-wager" | "next-spot" }
  | { does: "by-itself" }
  | { does: "deal" | "go" | "rebet" | "undo" | "hint" | "coach" | "text" | "clauses" | "keys" };

const ALWAYS: Record<string, KeyAction["does"]> = {
  ".": "by-itself",
  "?": "keys",
  k: "coach",
  t: "text",
  c: "clauses",
};
const BETTING: Record<string, KeyAction["does"]> = {
  Enter: "deal",
  r: "rebet",
  g: "go",
  u: "undo",
  ArrowUp: "add",
  ArrowDown: "less",
  ArrowRight: "next-wager",
  ArrowLeft: "last-wager",
  "+": "add",
  "-": "less",
};

/** The meaning of a key while betting or deciding, or null. */
export function keyAction(key: string, decide: DecideOffer | null): KeyAction | null {
  const pressed = key.length === 1 ? key.toLowerCase() : key;
  if (decide) {
    const action = decisionKey(pressed, decide);
    if (action) return action;
  } else if (BETTING[pressed]) {
    return { does: BETTING[pressed] } as KeyAction;
  } else if (/^[1-9]$/.test(pressed)) {
    return { does: "chip", number: Number(pressed) };
  }
  if (pressed === "s") return { does: "next-spot" };
  return ALWAYS[pressed] ? ({ does: ALWAYS[pressed] } as KeyAction) : null;
}

function decisionKey(key: string, offer: DecideOffer): KeyAction | null {
  const choice = soleChoices(offer).find((choice) => choice.key === key);
  if (choice) return { does: "play", play: choice.play };
  const added = addOns(offer).find((option) => option.key === key);
  if (added) return { does: "switch", wager: added.wager };
  return key === hintKey(offer.choices) ? { does: "hint" } : null;
}

/** H, or A or N if a play uses H, as a high declaration does. */
export const hintKey = (choices: readonly Choice[]): string =>
  ["h", "a", "n"].find((key) => !choices.some((choice) => choice.key === key)) ?? "";

/** True if the focused element handles the key: text fields, buttons, radio groups. */
export function isHandledByFocus(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target as Element;
  // The focus stays in a closed dialog for a moment, but nobody types there.
  if (target.closest("dialog:not([open])")) return false;
  if (target.closest("input:not([type=radio], [type=checkbox]), select, textarea, dialog"))
    return true;
  if (event.key === " " || (event.key === "Enter" && target.closest("a, button, summary")))
    return true;
  return event.key.startsWith("Arrow") && target.closest("input, [role=tablist]") !== null;
}

/** Drop the focus after a click or tap, so that the next key goes to the table. */
export function dropFocus(event: MouseEvent): void {
  const button = (event.target as Element).closest<HTMLElement>(
    "button, [type=radio], [type=checkbox]",
  );
  if ((event as PointerEvent).pointerType) button?.blur();
}

/** All shortcuts with their labels, for the list that ? shows. */
export function keyList(choices: Choice[], titles: Titles): [keys: string, playText: string][] {
  return [
    ["Enter", say("table.key.deal")],
    [say("table.key.chips"), say("table.key.chip")],
    ["↑ ↓", say("table.key.add")],
    ["← →", say("table.key.walk")],
    ["R", say("table.key.rebet")],
    ["U", say("table.key.undo")],
    ...soleChoices({ choices }).map((choice): [string, string] => [
      choice.key.toUpperCase(),
      playText(choice),
    ]),
    ...addOns({ choices }).map((option): [string, string] => [
      option.key.toUpperCase(),
      say("table.key.switch", { wager: titles(option.wager).toLowerCase() }),
    ]),
    [hintKey(choices).toUpperCase(), say("table.key.hint")],
    ["G", say("table.key.go")],
    [".", say("table.key.by-itself")],
    ["K", say("table.key.coach")],
    ["S", say("table.key.spot")],
    ["T", say("table.key.text")],
    ["C", say("table.key.clauses")],
    ["?", say("table.key.keys")],
  ];
}

type Titles = (wager: string) => string;

function playText({ play, says, bets }: Choice): string {
  if (says) return say("table.key.declare", { hand: says });
  return bets === null ? say("table.key.play", { play }) : say("table.key.bet", { play });
}
