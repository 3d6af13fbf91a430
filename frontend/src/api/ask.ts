/** Questions to the house over HTTP, typed by its own description; every no is a sentence. */

import { say } from "../words/say.svelte";

/** Why not, in the house's own words. */
export class No extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly clause: string | null = null,
    /** All that the answer said. */
    readonly told: unknown = null,
  ) {
    super(message);
  }
}

const STRANGER = "web.access.nobody"; // Said to programs; why a ticket ended is told as it is.

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(path, {
    method,
    credentials: "same-origin",
    ...(body === undefined
      ? {}
      : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new No(0, say("page.unreachable"));
  });
  if (answer.status === 204) return undefined as T;
  const told: unknown = await answer.json().catch(() => null);
  if (answer.ok) return told as T;
  const no = refusal(answer.status, told);
  throw (told as { key?: string } | null)?.key === STRANGER ? new No(401, say("page.nobody")) : no;
}

export const get = <T>(path: string) => ask<T>("GET", path);
export const post = <T>(path: string, body: unknown) => ask<T>("POST", path, body);

/** A file that the house makes of what is asked. */
export async function fileOf(path: string, body: unknown): Promise<Blob> {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new No(0, say("page.unreachable"));
  });
  if (!answer.ok) throw refusal(answer.status, await answer.json().catch(() => null));
  return answer.blob();
}

/**
 * Passes an answer on unless another question has been put since: the last question asked is the
 * one whose answer shows, whichever comes last. For an effect to give back.
 */
export function answered<T>(
  answer: Promise<T>,
  told: (answer: T) => void,
  no: (error: unknown) => void = () => undefined,
): () => void {
  let left = false;
  answer.then(
    (it) => left || told(it),
    (error: unknown) => left || no(error),
  );
  return () => {
    left = true;
  };
}

export function refusal(status: number, told: unknown): No {
  const said = told as {
    error?: string;
    refused?: { message: string; clause: string | null };
  } | null;
  if (said?.refused) return new No(status, said.refused.message, said.refused.clause, told);
  return new No(status, said?.error ?? say("page.status", { status }), null, told);
}

/** What went wrong, as a sentence that starts like one. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const said = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(said) ? said : `${said}.`;
}
