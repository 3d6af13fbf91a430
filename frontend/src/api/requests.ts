/** HTTP client, typed by the server's OpenAPI description. Every failure has a sentence for the user. */

import { addressReader } from "../words/secondPerson";
import { say } from "../words/say.svelte";
import { fetchTracked, connectivity } from "./connectivity.svelte";
import type { Address, Answer, Body, BodyOnce, Plain, Query } from "./routes";
import type { Refusal } from "./types";

/** A failed request, with the server's reason. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly clause: string | null = null,
    /** The body of the answer. */
    readonly details: unknown = null,
  ) {
    super(message);
  }
}

/** True if the server did not answer. The resource may exist. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof RequestError && error.status === 0;

/** Whether a retry may succeed later. It will not if the server lacks a package (`extras.`). */
export const mayRetryLater = (error: unknown): boolean =>
  error instanceof RequestError && error.status === 503 && !keyOf(error).startsWith("extras.");

/** The message key of a refusal; empty if it has none. */
export const keyOf = ({ details }: RequestError): string =>
  (details as { key?: string } | null)?.key ?? "";

function throwUnreachable(): never {
  connectivity.recordAnswer(); // Something else answered, such as a captive portal.
  throw new RequestError(0, say("page.unreachable"));
}

const STRANGER = "web.access.nobody"; // This code is meant for programs. The detail tells the user why the ticket ended.

export const get = <At extends Plain>(path: At) => sendRequest<Answer<"get", At>>("GET", path);
export const getWithQuery = <At extends Address<"get">>(path: At, query: Query<At>) =>
  sendRequest<Answer<"get", At>>("GET", withQuery(path, query));
export const post = <At extends Address<"post">>(path: At, body: Body<"post", At>) =>
  sendRequest<Answer<"post", At>>("POST", path, body);
export const patch = <At extends Address<"patch">>(path: At, body: Body<"patch", At>) =>
  sendRequest<Answer<"patch", At>>("PATCH", path, body);
/** POST with an idempotency key: a resent request takes effect once. */
export const postOnce = <At extends Address<"post">, Json>(
  path: At,
  body: BodyOnce<At, Json>,
  request: string,
) => sendRequest<Json>("POST", path, { ...body, request });

/** An address with its query. Blank parameters are left out. */
export function withQuery<At extends Address<"get">>(path: At, query: Query<At>): string {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value ?? "").trim()]);
  const params = new URLSearchParams(entries.filter(([, value]) => value !== ""));
  return params.size ? `${path}?${params}` : path;
}

async function sendRequest<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetchTracked(path, {
    method,
    credentials: "same-origin",
    ...(body === undefined
      ? {}
      : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  }).catch(throwUnreachable);
  if (answer.status === 204) return undefined as T;
  // A truncated answer, or one that is not from the server, is a failure.
  const content: unknown = await answer.json().catch(answer.ok ? throwUnreachable : () => null);
  if (answer.ok) return content as T;
  const failure = refusal(answer.status, content);
  throw keyOf(failure) === STRANGER ? new RequestError(401, say("page.nobody")) : failure;
}

/** The OpenAPI description of the server. It does not describe its own route. */
export const fetchOpenApi = <T>() => sendRequest<T>("GET", "/api/openapi.json");

/** A file that the server builds from the request. */
export async function fetchFile<At extends Address<"post">>(
  path: At,
  body: Body<"post", At>,
): Promise<Blob> {
  const answer = await fetchTracked(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(throwUnreachable);
  if (!answer.ok) throw refusal(answer.status, await answer.json().catch(() => null));
  return answer.blob().catch(throwUnreachable);
}

/**
 * Handle an answer unless a newer request has been made since.
 * Returns a cleanup function for an effect.
 */
export function onLatestAnswer<T>(
  answer: Promise<T>,
  onAnswer: (answer: T) => void,
  failure: (error: unknown) => void = () => undefined,
): () => void {
  let canceled = false;
  answer.then(
    (reply) => canceled || onAnswer(reply),
    (error: unknown) => canceled || failure(error),
  );
  return () => {
    canceled = true;
  };
}

export function refusal(status: number, details: unknown): RequestError {
  const body = details as {
    error?: string;
    refused?: Refusal;
  } | null;
  if (body?.refused) {
    const { message, clause } = addressReader(body.refused) as Refusal;
    return new RequestError(status, message, clause, details);
  }
  return new RequestError(status, body?.error ?? say("page.status", { status }), null, details);
}

/** The error message with a capital first letter. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
