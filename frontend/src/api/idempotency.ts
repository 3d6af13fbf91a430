/** Idempotency keys: repeating a request reuses its id until the server answers. */

import { newRequest } from "../live/connection";
import { No } from "./ask";

const REFUSED = /^4/; // After any other failure the command may have taken effect.

export class Once {
  #open = { what: "", request: "" };

  /** Send the request under its id. Reuse the previous id if the same request is still unanswered. */
  async ask<T>(what: unknown, send: (request: string) => Promise<T>): Promise<T> {
    const text = JSON.stringify(what);
    if (this.#open.what !== text) this.#open = { what: text, request: newRequest() };
    try {
      const answer = await send(this.#open.request);
      this.#open.what = "";
      return answer;
    } catch (error) {
      if (error instanceof No && REFUSED.test(String(error.status))) this.#open.what = "";
      throw error;
    }
  }
}
