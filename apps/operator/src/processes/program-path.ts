import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { machineEnvironment } from '../settings/operator.config.js';

/** Folders with server programs. A normal user's PATH does not contain them. */
const MORE_FOLDERS = ['/usr/local/sbin', '/usr/sbin', '/usr/local/bin'];

/** The path of a program of this machine, or undefined. */
export const programPath = (name: string): string | undefined =>
  [...(machineEnvironment()['PATH'] ?? '').split(delimiter), ...MORE_FOLDERS]
    .map((folder) => join(folder, name))
    .find(existsSync);
