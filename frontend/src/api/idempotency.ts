/** Idempotency keys: repeating a request reuses its id until the server answers. */

import { newRequest } from "../live/connection";
import { RequestError } from "./requests";

const REFUSED = /^4/; // After any other failure the command may have taken effect.

export class IdempotentRequests {
  #open = { content: "", request: "" };

  /** Send the request under its id. Reuse the previous id if the same request is still unanswered. */
  async send<T>(content: unknown, post: (request: string) => Promise<T>): Promise<T> {
    const text = JSON.stringify(content);
    if (this.#open.content !== text) this.#open = { content: text, request: newRequest() };
    try {
      const answer = await post(this.#open.request);
      this.#open.content = "";
      return answer;
    } catch (error) {
      if (error instanceof RequestError && REFUSED.test(String(error.status)))
        this.#open.content = "";
      throw error;
    }
  }
}
