import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files below a folder that contain a text. Files and folders that a running server deletes in the meantime are ignored. */
export function filesWith(folder: string, text: string): string[] {
  const entries = unlessDeleted(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesWith(path, text);
    return entry.isFile() && unlessDeleted(() => readFileSync(path))?.includes(text) ? [path] : [];
  });
}

function unlessDeleted<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
