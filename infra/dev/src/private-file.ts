import { chmodSync, renameSync, writeFileSync } from 'node:fs';

/** Writes `content` to `file`, readable by its owner alone; a reader sees the old content or the new, never half. */
export function writePrivately(file: string, content: string): void {
  const beside = `${file}.${process.pid}.new`;
  writeFileSync(beside, content, { mode: 0o600 });
  chmodSync(beside, 0o600);
  renameSync(beside, file);
}
