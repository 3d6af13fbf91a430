/** Tracks whether the server is reachable. The browser's online state does not tell. */

const SEEN = "pitbook-seen"; // The service worker sets this header on cached answers.

class Connectivity {
  /** False from a request without an answer until the next one with an answer. */
  serverReached = $state(true);

  /** Record the outcome of a request: its answer, or nothing if there was none. */
  recordAnswer(answer?: Response): void {
    this.serverReached = answer !== undefined && !answer.headers.has(SEEN);
  }
}

export const connectivity = new Connectivity();

/** `fetch` that records whether the server answered. */
export async function fetchTracked(path: string, init: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(path, init);
    connectivity.recordAnswer(answer);
    return answer;
  } catch (error) {
    connectivity.recordAnswer();
    throw error;
  }
}
