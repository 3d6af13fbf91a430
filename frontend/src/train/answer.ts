/** Converts answers composed on the page to the text that the server reads. */

import type { Question } from "../api/types";

/** A draft of an answer. Each form of question uses its own fields. */
export interface AnswerDraft {
  typed: string;
  chosen: string[];
  chips: Record<string, number>;
  amounts: Record<string, string>;
}

export const blank = (): AnswerDraft => ({ typed: "", chosen: [], chips: {}, amounts: {} });

/** The answer, or null while it is incomplete. */
export const answerOf = (question: Question, draft: AnswerDraft): string | null =>
  (FORMS[question.form] ?? typedAnswer)(question, draft);

const FORMS: Record<string, (question: Question, draft: AnswerDraft) => string | null> = {
  chips: ({ chips }, draft) => ofChips(chips, draft.chips),
  choice: (_, { chosen }) => (chosen.length === 1 ? (chosen[0] ?? null) : null),
  choices: ofChoices,
  order: ({ options }, { chosen }) => (chosen.length === options.length ? chosen.join(",") : null),
  steps: ofSteps,
};

const typedAnswer = (_: Question, draft: AnswerDraft): string | null => draft.typed.trim() || null;

function ofChoices({ pick }: Question, { chosen }: AnswerDraft): string | null {
  if (pick !== null && chosen.length !== pick) return null;
  return chosen.length ? chosen.join(",") : "none";
}

function ofChips(values: readonly string[], chips: AnswerDraft["chips"]): string | null {
  const piles = values.filter((value) => (chips[value] ?? 0) > 0);
  return piles.length ? piles.map((value) => `${value}x${chips[value]}`).join(",") : null;
}

function ofSteps(question: Question, { chosen, amounts }: AnswerDraft): string | null {
  const isComplete = chosen.length === question.options.length;
  if (!isComplete || chosen.some((id) => !amounts[id]?.trim())) return null;
  return chosen.map((id) => `${id}=${amounts[id]?.trim() ?? ""}`).join(" ");
}

/** Toggle an option. Single-choice questions keep one. */
export function toggleOption(question: Question, chosen: readonly string[], id: string): string[] {
  if (question.form === "choice") return [id];
  return chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id];
}

export interface AnswerStep {
  text: string;
  amount: string | null;
}

/** The steps of an ordering answer in words; empty for other forms. */
export function stepsOf(question: Question, answer: string): AnswerStep[] {
  if (question.form !== "order" && question.form !== "steps") return [];
  const texts = new Map(question.options.map(({ id, text }) => [id, text]));
  return answer.split(",").map((step) => {
    const [id = "", amount = null] = step.split("=");
    return { text: texts.get(id) ?? id, amount };
  });
}
