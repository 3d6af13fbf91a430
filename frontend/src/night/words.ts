/** Clock, chips and limits in the few words that fit on a wall. */

import type { ClockBoard as Board, Limit } from "../api/types";
import { spoken } from "../words/money";

/** 611.2 seconds as "10:12", 3700 as "1:01:40"; a second that has begun still counts. */
export function timeShown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const two = (number: number) => String(number).padStart(2, "0");
  const short = `${minutes}:${two(whole % 60)}`;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : short;
}

/** What is left some time after a reading; a clock that stands still keeps what it has. */
export const leftAfter = (board: Board, seconds: number, since: number): number =>
  board.running ? Math.max(0, seconds - since) : seconds;

/** The hour of a moment, by the clock of whoever looks: "19:05". */
export function hourShown(moment: string): string {
  const when = new Date(moment);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${two(when.getHours())}:${two(when.getMinutes())}`;
}

/** Tournament chips are worth no dollars: "1636.36" as "1,636". */
export const chipsShown = (amount: string): string =>
  spoken(amount.replace(/\.\d*$/, "")).replace("$", "");

/** "Ante 25 to 100" */
export function limitShown({ wager, min, max }: Limit): string {
  const name = wager.replaceAll("-", " ");
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  if (min && max) return `${title} ${chipsShown(min)}–${chipsShown(max)}`;
  if (min) return `${title} from ${chipsShown(min)}`;
  return max ? `${title} up to ${chipsShown(max)}` : title;
}

export const limitsShown = (limits: readonly Limit[]): string =>
  limits.map(limitShown).join(" · ") || "Limits of the sheet";

/** What the clock is doing, in a word or two; nothing while a level runs. */
export function standing(board: Board): string {
  if (board.status === "void") return "Void";
  if (board.status === "interrupted") return "Interrupted";
  if (board.status === "finished") return "Finished";
  if (!board.started) return "Not started";
  if (board.over) return "Time is up";
  if (board.on_break) return board.running ? "Break" : "Break, paused";
  return board.running ? "" : "Paused";
}

/** Whether nothing is left to be timed. */
export const isOver = ({ status }: Board): boolean => status === "finished" || status === "void";

/** "1st", "2nd", "3rd", "11th" */
export function ordinal(place: number): string {
  const tens = place % 100;
  const ending = tens > 10 && tens < 14 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${ending}`;
}

/** The token of a check-in code, whether a link or the token itself was read. */
export function tokenOf(code: string): string | null {
  const found = /(?:\/check-in\/)?([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)\s*$/.exec(code);
  return found?.[1] ?? null;
}

/** How a night or a tournament stands, for people. */
export const PHASES: Record<string, string> = {
  made: "to come",
  open: "open",
  closed: "closed",
  playing: "in play",
  interrupted: "interrupted",
  finished: "finished",
  void: "void",
};
