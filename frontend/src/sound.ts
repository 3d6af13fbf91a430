/** Synthesized sounds: cards, chips, a knock, a bell. Off by default. */

import { settings } from "./settings/settings.svelte";

export type Sound = "card" | "turn" | "chip" | "stack" | "knock" | "bell" | "chord";

/** One part of a sound, a tone or filtered noise, with start and duration. */
interface Tone {
  hertz: number;
  seconds: number;
  loud: number;
  noise?: boolean;
  after?: number;
}

const tick = (delay: number): Tone[] => [
  { hertz: 3400, seconds: 0.05, loud: 0.1, after: delay },
  { hertz: 5200, seconds: 0.03, loud: 0.06, noise: true, after: delay },
];
const bell = (hertz: number, delay = 0): Tone[] => [
  { hertz, seconds: 0.9, loud: 0.09, after: delay },
  { hertz: hertz * 2.76, seconds: 0.4, loud: 0.035, after: delay },
];

const SOUNDS: Record<Sound, Tone[]> = {
  card: [{ hertz: 1800, seconds: 0.05, loud: 0.25, noise: true }],
  turn: [
    { hertz: 2600, seconds: 0.04, loud: 0.2, noise: true },
    { hertz: 1400, seconds: 0.03, loud: 0.12, noise: true, after: 0.05 },
  ],
  chip: tick(0),
  stack: [0, 0.045, 0.085, 0.13].flatMap(tick),
  knock: [
    { hertz: 150, seconds: 0.08, loud: 0.3 },
    { hertz: 420, seconds: 0.04, loud: 0.14, noise: true },
  ],
  bell: bell(1175),
  chord: [...bell(784), ...bell(988, 0.09), ...bell(1175, 0.18), ...bell(1568, 0.3)],
};

let context: AudioContext | null = null;
let speaker: GainNode | null = null;

export function sound(name: Sound, delay = 0): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  if (speaker === null) {
    speaker = context.createGain();
    speaker.connect(context.destination);
  }
  for (const part of SOUNDS[name]) playTone(context, speaker, part, delay / 1000);
}

export function mute(): void {
  speaker?.disconnect();
  speaker = null;
}

function playTone(audio: AudioContext, output: AudioNode, part: Tone, delay: number): void {
  const startTime = audio.currentTime + delay + (part.after ?? 0);
  const gain = audio.createGain();
  gain.gain.setValueAtTime(part.loud, startTime);
  gain.gain.exponentialRampToValueAtTime(0.001, startTime + part.seconds);
  const source = part.noise ? hiss(audio, part, gain) : tone(audio, part.hertz, gain);
  gain.connect(output);
  source.start(startTime);
  source.stop(startTime + part.seconds);
}

function tone(audio: AudioContext, hertz: number, gain: GainNode): OscillatorNode {
  const source = audio.createOscillator();
  source.type = "triangle";
  source.frequency.value = hertz;
  source.connect(gain);
  return source;
}

function hiss(audio: AudioContext, { seconds, hertz }: Tone, gain: GainNode) {
  const buffer = audio.createBuffer(1, Math.ceil(seconds * audio.sampleRate), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = 2 * Math.random() - 1;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = hertz;
  source.buffer = buffer;
  source.connect(filter).connect(gain);
  return source;
}
