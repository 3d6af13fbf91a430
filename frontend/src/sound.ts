/** Small clicks made on the spot: a card laid, a card turned, chips. Silent until somebody asks. */

import { settings } from "./settings/settings.svelte";

type Click = "lay" | "turn" | "chip" | "win";

let context: AudioContext | null = null;

const SHAPES: Record<Click, { hertz: number; seconds: number; loud: number; noise: boolean }> = {
  lay: { hertz: 1800, seconds: 0.05, loud: 0.25, noise: true },
  turn: { hertz: 2600, seconds: 0.04, loud: 0.2, noise: true },
  chip: { hertz: 3400, seconds: 0.06, loud: 0.12, noise: false },
  win: { hertz: 880, seconds: 0.25, loud: 0.1, noise: false },
};

export function click(what: Click, after = 0): void {
  if (!settings.sound) return;
  context ??= new AudioContext();
  const shape = SHAPES[what];
  const from = context.currentTime + after / 1000;
  const gain = context.createGain();
  gain.gain.setValueAtTime(shape.loud, from);
  gain.gain.exponentialRampToValueAtTime(0.001, from + shape.seconds);
  const source = shape.noise
    ? hiss(context, shape.seconds, shape.hertz, gain)
    : tone(context, shape.hertz, gain);
  gain.connect(context.destination);
  source.start(from);
  source.stop(from + shape.seconds);
}

function tone(audio: AudioContext, hertz: number, gain: GainNode): OscillatorNode {
  const source = audio.createOscillator();
  source.type = "triangle";
  source.frequency.value = hertz;
  source.connect(gain);
  return source;
}

function hiss(
  audio: AudioContext,
  seconds: number,
  hertz: number,
  gain: GainNode,
): AudioBufferSourceNode {
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
