/** Answers pushed over one socket per page. While it is not open, they are polled. */

import { get } from "./requests";
import type { Answer, Plain } from "./routes";

interface Watch {
  path: string;
  onAnswer(answer: unknown): void;
}
interface ScreenFrame {
  watched?: string;
  status: number;
  body: unknown;
}

const SILENCE_MS = 10_000; // The server pings a silent socket every few seconds.
const RETRY_MS = 5_000;

let watches: Watch[] = [];
let socket: WebSocket | null = null;
let open = false;
let silenceTimer: ReturnType<typeof setTimeout> | undefined;
let retryTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Call `onAnswer` with the answer to a GET request now and whenever it changes, until the returned
 * function is called. `intervalMs` is the interval of polling without a socket.
 */
export function watch<At extends Plain>(
  path: At | `${At}?${string}`,
  onAnswer: (answer: Answer<"get", At>) => void,
  intervalMs: () => number,
): () => void {
  const entry = { path, onAnswer } as Watch;
  watches = [...watches, entry];
  update();
  const timer = setInterval(() => {
    if (open) return;
    get(path as At)
      .then((answer) => watches.includes(entry) && onAnswer(answer))
      .catch(() => undefined); // The next poll retries.
  }, intervalMs());
  return () => {
    clearInterval(timer);
    watches = watches.filter((other) => other !== entry);
    update();
  };
}

/** Tell the server what is watched. The socket opens with the first watch and closes after the last. */
function update(): void {
  if (socket === null) connect();
  else if (watches.length === 0) close();
  else if (open) sendPaths();
}

const sendPaths = () =>
  socket?.send(JSON.stringify({ watch: [...new Set(watches.map(({ path }) => path))] }));

function connect(): void {
  clearTimeout(retryTimer);
  if (watches.length === 0) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const dialed = new WebSocket(`${scheme}://${location.host}/api/screens`);
  socket = dialed;
  dialed.onopen = () => {
    open = true;
    sendPaths();
    expectFrames();
  };
  dialed.onmessage = ({ data }) => onFrame(JSON.parse(String(data)) as ScreenFrame);
  dialed.onclose = () => {
    if (socket !== dialed) return;
    close();
    retryTimer = setTimeout(connect, RETRY_MS);
  };
}

function onFrame({ watched, status, body }: ScreenFrame): void {
  expectFrames();
  if (watched === undefined || status !== 200) return; // A ping, or a refusal that the screen shows.
  for (const { path, onAnswer } of watches) if (path === watched) onAnswer(body);
}

function expectFrames(): void {
  clearTimeout(silenceTimer);
  silenceTimer = setTimeout(() => socket?.close(), SILENCE_MS);
}

function close(): void {
  clearTimeout(silenceTimer);
  clearTimeout(retryTimer);
  open = false;
  const closing = socket;
  socket = null;
  closing?.close();
}
