// Values as Grafana writes them on an axis, by the unit of a panel.

const rounded = (value: number): string => String(Number(value.toPrecision(3)));

type Steps = readonly (readonly [size: number, name: string])[];
const counts: Steps = [
  [1, ''],
  [1e3, ' k'],
  [1e6, ' M'],
  [1e9, ' G'],
];
const seconds: Steps = [
  [1e-6, ' µs'],
  [1e-3, ' ms'],
  [1, ' s'],
  [60, ' min'],
  [3600, ' h'],
  [86_400, ' d'],
];
const bytes: Steps = [
  [1, ' B'],
  [2 ** 10, ' KiB'],
  [2 ** 20, ' MiB'],
  [2 ** 30, ' GiB'],
  [2 ** 40, ' TiB'],
];
const perSecond: Steps = [
  [1, ' B/s'],
  [1e3, ' kB/s'],
  [1e6, ' MB/s'],
];
const shares: Steps = [[0.01, ' %']];

const units: Readonly<Record<string, { readonly steps: Steps; readonly suffix?: string }>> = {
  short: { steps: counts },
  reqps: { steps: counts, suffix: ' req/s' },
  ops: { steps: counts, suffix: ' ops/s' },
  s: { steps: seconds },
  percentunit: { steps: shares },
  bytes: { steps: bytes },
  Bps: { steps: perSecond },
};

/** An axis from 0 with round numbers. */
export interface Axis {
  readonly max: number;
  readonly interval: number;
  readonly format: (value: number) => string;
}

const LINES = 4;

/**
 * The axis for values of a unit, up to this peak.
 * @throws {Error} for a unit that no panel has had yet
 */
export function axisOf(unit: string, peak: number): Axis {
  const { steps, suffix = '' } = units[unit] ?? {};
  if (steps === undefined) throw new Error(`chaos/src/pictures/units.ts does not know the unit ${unit}`);
  const reached = peak > 0 ? peak : 1;
  const [size, name] = steps.findLast(([least]) => reached >= least) ?? steps[0] ?? [1, ''];
  const interval = roundUp(reached / size / LINES) * size;
  const max = Math.ceil(reached / interval - 1e-9) * interval;
  return {
    max,
    interval,
    format: (value) => (value === 0 ? `0${suffix}` : `${rounded(value / size)}${name}${suffix}`),
  };
}

/** The next of 1, 2, 2.5, 5, 10, 20, … or 0.5, 0.25, 0.2, 0.1, … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5].find((digit) => digit * power >= value * (1 - 1e-9)) ?? 10) * power;
}
