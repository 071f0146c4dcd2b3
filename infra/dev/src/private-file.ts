import { chmodSync, renameSync, writeFileSync } from 'node:fs';

/** Writes `content` to `file`, readable only by its owner. The file is replaced at once, so a reader never sees half of it. */
export function writePrivately(file: string, content: string): void {
  const beside = `${file}.${process.pid}.new`;
  writeFileSync(beside, content, { mode: 0o600 });
  chmodSync(beside, 0o600);
  renameSync(beside, file);
}
