/** Whether the house answers: known by the last question, since a browser without a line may not know it. */

/** Says that an answer is one that the worker kept, and that the house was not there to ask. */
export const KEPT = "X-Kept";

class Reach {
  lost = $state(globalThis.navigator?.onLine === false);

  heard(answer: Pick<Response, "headers">): void {
    this.lost = answer.headers.has(KEPT);
  }
}

export const reach = new Reach();
