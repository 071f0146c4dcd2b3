// DATA_DIR/run.json: how scripts find what runs. There while it runs, gone when it has stopped.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from './private-file.js';

export interface RunFile {
  /** What `createClient(base_url, apikey)` of supabase-js takes; resources are below `${base_url}/rest/v1/`. */
  readonly base_url: string;
  readonly apikey: string;
  /** With the credentials of the user who may do everything. */
  readonly nats_url: string;
  /** With the credentials of the user who may do everything. */
  readonly database_url: string;
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
}

/** Writes the file, for its owner alone: it holds credentials. */
export function writeRunFile(dataDir: string, content: RunFile): void {
  writePrivately(join(dataDir, 'run.json'), `${JSON.stringify(content, null, 2)}\n`);
}

/** Takes the file away. */
export function removeRunFile(dataDir: string): void {
  rmSync(join(dataDir, 'run.json'), { force: true });
}
