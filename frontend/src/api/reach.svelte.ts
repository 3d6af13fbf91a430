/** Whether the house answers. A browser that is online may still not reach it: asking tells. */

const SEEN = "pitbook-seen"; // Put by the worker on an answer that it had from before.

class Reach {
  /** False from a question that nobody answered to the next one that the house does. */
  isReached = $state(true);

  /** What came of a question; nothing, where it was not answered. */
  heard(answer?: Response): void {
    this.isReached = answer !== undefined && !answer.headers.has(SEEN);
  }
}

export const reach = new Reach();

/** `fetch`, whose every outcome tells whether the house is there. */
export async function fetchTracked(path: string, wishes: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(path, wishes);
    reach.heard(answer);
    return answer;
  } catch (error) {
    reach.heard();
    throw error;
  }
}
