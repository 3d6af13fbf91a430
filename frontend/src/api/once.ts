/** What is asked twice counts once: the same question has the same id until it is answered. */

import { newRequest } from "../live/connection";
import { No } from "./ask";

const REFUSED = /^4/; // Anything else leaves open whether it was done.

export class Once {
  #open = { what: "", request: "" };

  /** Ask it under its id: the one of before, where it is the same question and still open. */
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
