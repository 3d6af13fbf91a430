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

const tick = (after: number): Tone[] => [
  { hertz: 3400, seconds: 0.05, loud: 0.1, after },
  { hertz: 5200, seconds: 0.03, loud: 0.06, noise: true, after },
];
const bell = (hertz: number, after = 0): Tone[] => [
  { hertz, seconds: 0.9, loud: 0.09, after },
  { hertz: hertz * 2.76, seconds: 0.4, loud: 0.035, after },
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

export function sound(what: Sound, after = 0): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  if (speaker === null) {
    speaker = context.createGain();
    speaker.connect(context.destination);
  }
  for (const part of SOUNDS[what]) heard(context, speaker, part, after / 1000);
}

export function mute(): void {
  speaker?.disconnect();
  speaker = null;
}

function heard(audio: AudioContext, out: AudioNode, part: Tone, after: number): void {
  const from = audio.currentTime + after + (part.after ?? 0);
  const gain = audio.createGain();
  gain.gain.setValueAtTime(part.loud, from);
  gain.gain.exponentialRampToValueAtTime(0.001, from + part.seconds);
  const source = part.noise ? hiss(audio, part, gain) : tone(audio, part.hertz, gain);
  gain.connect(out);
  source.start(from);
  source.stop(from + part.seconds);
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
