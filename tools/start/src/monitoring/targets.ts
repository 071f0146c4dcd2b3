// DATA_DIR/metrics-targets.json: where Prometheus finds the metrics of each process, in the format of its `file_sd_configs`.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '@practice/operator';

/** A process that serves /metrics. */
export interface Target {
  /** The name of the process, such as `scheduling-2` or `supervisor`. */
  readonly process: string;
  /** The app. Several processes can run the same app. */
  readonly service: string;
  /** Host and port. */
  readonly address: string;
}

interface TargetGroup {
  readonly targets: readonly [string];
  readonly labels: { readonly service: string; readonly process: string };
}

const fileIn = (dataDir: string): string => join(dataDir, 'metrics-targets.json');

/** Writes the file; Prometheus reads it again when it changes. */
export function writeTargets(dataDir: string, targets: readonly Target[]): void {
  const groups = targets.map(({ process, service, address }): TargetGroup => ({
    targets: [address],
    labels: { service, process },
  }));
  writePrivately(fileIn(dataDir), `${JSON.stringify(groups, null, 2)}\n`);
}

/** The targets of a system that runs on this data folder. @throws {Error} when none runs */
export function readTargets(dataDir: string): Target[] {
  const groups = JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as TargetGroup[];
  return groups.map(({ targets: [address], labels }) => ({ ...labels, address }));
}

export function removeTargets(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}
