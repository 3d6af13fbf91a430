/** Guilloche rosette behind a jackpot. */

const PETALS = 6;
const STEPS = 180;
let cachedPath = "";

export const rosette = (): string =>
  (cachedPath ||= Array.from({ length: PETALS }, (_, k) => `M${around(k).join("L")}Z`).join(""));

const around = (k: number): string[] =>
  Array.from({ length: STEPS + 1 }, (_, n) => {
    const [a, q] = [(n / 90) * Math.PI, 50 * (0.86 + 0.14 * Math.cos((n / 7.5) * Math.PI + k))];
    return `${(150 + q * 2.7 * Math.cos(a)).toFixed(1)} ${(60 + q * Math.sin(a)).toFixed(1)}`;
  });
