import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

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

/** A file with JSON in a data folder, readable only by its owner. */
export const jsonFile = <T>(name: string) => ({
  /** Undefined if it does not exist. */
  read: (dataDir: string): T | undefined => {
    const file = join(dataDir, name);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
  },
  write: (dataDir: string, content: T): void =>
    writePrivately(join(dataDir, name), `${JSON.stringify(content, null, 2)}\n`),
  remove: (dataDir: string): void => rmSync(join(dataDir, name), { force: true }),
});
