/** Offline drills: downloaded questions, graded here and not recorded. */

import type { PacketItem, Question, NumberedQuestion, Verdict } from "../api/types";

/** A downloaded question in the server's form. Its number is negative, by position. */
export const offlineQuestion = (
  item: PacketItem,
  sheet: string,
  place: number,
): NumberedQuestion => ({
  number: -1 - place,
  mark: "",
  sheet,
  kind: item.kind,
  kind_title: item.kind_title,
  question: item.question,
  how: item.how,
  seconds: null,
});

/** Index of the next question of these kinds, cyclically, or null. */
export function nextPlace(
  items: readonly PacketItem[],
  kinds: readonly string[],
  last: number,
): number | null {
  const places = items.flatMap((question, n) =>
    !kinds.length || kinds.includes(question.kind) ? [n] : [],
  );
  return places.find((place) => place > last) ?? places[0] ?? null;
}

/** The verdict that the server would give; null if the text is not an answer. */
export function gradeOffline(item: PacketItem, answerText: string, ms: number): Verdict | null {
  const parsed = normalize(item.question, answerText);
  if (parsed === null) return null;
  return {
    number: 0,
    right: parsed === normalize(item.question, item.answer),
    late: false,
    ms,
    answer: item.answer,
    answer_text: item.answer_text,
    given_text: textOf(item.question, answerText),
    reasons: item.reasons,
  };
}

const SIGN = "(?:[A-Z]{0,2}[$€£])?";
const WHOLE = String.raw`\d{1,3}(?:,\d{3}){1,3}|\d{1,12}`; // "25,50" is rejected and not read as 2550.
const AMOUNT = new RegExp(String.raw`^(-?)${SIGN}(${WHOLE})(?:\.(\d{1,2}))?${SIGN}$`, "i");

const cents = (text: string): number | null => {
  const match = AMOUNT.exec(text.replaceAll(/[\s\u2060]/g, "").replace("−", "-"));
  if (!match) return null;
  const [, sign, whole = "", rest = ""] = match;
  const value = Number(whole.replaceAll(",", "")) * 100 + Number(rest.padEnd(2, "0") || 0);
  return sign && value ? -value : value;
};

/** An answer in normalized form, for comparison. */
function normalize(question: Question, text: string): string | null {
  const parts = text.split(/[\s,]+/).filter((part) => part && part !== "none");
  switch (question.form) {
    case "amount":
      return cents(text)?.toString() ?? null;
    case "number":
      return /^\d{1,9}$/.test(text.trim()) ? String(Number(text)) : null;
    case "chips":
    case "choices":
      return parts.sort().join();
    case "steps":
      return parts
        .map((pair) => `${pair.split("=")[0] ?? ""}=${cents(pair.split("=")[1] ?? "") ?? "?"}`)
        .join();
    default:
      return parts.join();
  }
}

function textOf(question: Question, answerText: string): string {
  const named = new Map(
    question.options.map((option) => [option.id, option.text || option.cards.join(" ")]),
  );
  return answerText
    .split(",")
    .map((id) => named.get(id) ?? id)
    .join(", ");
}
