/** Tracks whether the server is reachable. The browser's online state does not tell. */

const SEEN = "pitbook-seen"; // The service worker sets this header on cached answers.

class Reach {
  /** False from a request without an answer until the next one with an answer. */
  isReached = $state(true);

  /** Record the outcome of a request: its answer, or nothing if there was none. */
  heard(answer?: Response): void {
    this.isReached = answer !== undefined && !answer.headers.has(SEEN);
  }
}

export const reach = new Reach();

/** `fetch` that records whether the server answered. */
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
