// DATA_DIR/metrics-targets.json: where Prometheus finds the metrics of each process, in the format of its `file_sd_configs`.
import { jsonFile } from '@practice/operator';

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
  readonly labels: Omit<Target, 'address'>;
}

const file = jsonFile<readonly TargetGroup[]>('metrics-targets.json');

/** Writes the file; Prometheus reads it again when it changes. */
export function writeTargets(dataDir: string, targets: readonly Target[]): void {
  const groups = targets.map(({ address, ...labels }): TargetGroup => ({ targets: [address], labels }));
  file.write(dataDir, groups);
}

/** The targets of a system that runs on this data folder; empty if none runs. */
export const readTargets = (dataDir: string): Target[] =>
  (file.read(dataDir) ?? []).map(({ targets: [address], labels }) => ({ ...labels, address }));

export const removeTargets = file.remove;
