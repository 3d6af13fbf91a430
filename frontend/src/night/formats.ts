/** Short forms of clocks, chips and limits for the wall display. */

import type { ClockBoard as Board, Limit } from "../api/types";
import { plainAmount } from "../words/money";
import { say, currentLanguage } from "../words/say.svelte";

/** 611.2 seconds as "10:12", 3700 as "1:01:40", rounded up. */
export function formatTime(seconds: number): string {
  const total = Math.max(0, Math.ceil(seconds));
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor(total / 60) % 60;
  const two = (number: number) => String(number).padStart(2, "0");
  const short = `${minutes}:${two(total % 60)}`;
  return hours ? `${hours}:${two(minutes)}:${two(total % 60)}` : short;
}

/** Seconds left some time after the board was read. A paused clock does not change. */
export const secondsLeft = (board: Board, seconds: number, since: number): number =>
  board.running ? Math.max(0, seconds - since) : seconds;

/** Local time of day: "19:05". */
export function formatHour(isoTime: string): string {
  const date = new Date(isoTime);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Tournament chips without cents or currency: "1636.36" as "1,636". */
export const formatChips = (amount: string): string => plainAmount(amount.replace(/\.\d*$/, ""));

/** "Ante 25 to 100" */
export function formatLimit({ wager, min, max }: Limit): string {
  const name = wager.replaceAll("-", " ");
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  const [least, most] = [min, max].map((bound) => (bound ? formatChips(bound) : ""));
  if (least && most) return say("night.clock.limit-between", { wager: title, least, most });
  if (least) return say("night.clock.limit-from", { wager: title, least });
  return most ? say("night.clock.limit-to", { wager: title, most }) : title;
}

export const limitsShown = (limits: readonly Limit[]): string =>
  limits.map(formatLimit).join(" · ") || say("night.clock.no-limits");

/** The clock's state in a word or two; empty while a level runs. */
export function statusOf(board: Board): string {
  const stateCode = boardState(board);
  return stateCode && say("night.clock.standing", { standing: stateCode });
}

function boardState(board: Board): string {
  if (["void", "interrupted", "finished"].includes(board.status)) return board.status;
  if (!board.started) return "not-started";
  if (board.over) return "over";
  if (board.on_break) return board.running ? "break" : "break-paused";
  return board.running ? "" : "paused";
}

export const isOver = ({ status }: Board): boolean => status === "finished" || status === "void";

/** "1st", "2nd", "3rd", "11th" */
export function ordinal(place: number): string {
  const form = new Intl.PluralRules(currentLanguage(), { type: "ordinal" }).select(place);
  return say("night.clock.ordinal", { place, form });
}

/** The token of a check-in code, from a link or the token itself. */
export function tokenOf(code: string): string | null {
  const match = /(?:\/check-in\/)?([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)\s*$/.exec(code);
  return match?.[1] ?? null;
}
