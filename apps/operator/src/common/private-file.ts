import { chmodSync, lstatSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Writes `content` to `file`, readable only by its owner. Follows a symbolic link. The file is replaced in one step,
 * so a reader never sees half of the content.
 */
export function writePrivately(file: string, content: string): void {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const place = isLink ? resolve(dirname(file), readlinkSync(file)) : file;
  const beside = `${place}.${process.pid}.new`;
  writeFileSync(beside, content, { mode: 0o600 });
  chmodSync(beside, 0o600);
  renameSync(beside, place);
}
