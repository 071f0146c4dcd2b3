// The archives of exports. A different library unpacks them than the one that makes them.

import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { eventually } from '@practice/testing';
import yauzl from 'yauzl';
import type { Person } from './people.js';

export interface Begun {
  readonly id: string;
  readonly link: string;
}

/** Begins an export. */
export async function begin({ supabase }: Person): Promise<Begun> {
  const { data, error } = await supabase.rpc('export_practice');
  expect(error).toBeNull();
  return data as Begun;
}

export interface Export {
  readonly status: string;
  readonly progress: number;
  readonly size: number | null;
  readonly expires_at: string | null;
  readonly problem: string | null;
}

/** Waits until an export has ended. */
export async function ended({ supabase }: Pick<Person, 'supabase'>, id: string): Promise<Export> {
  const found: Export[] = [];
  await eventually('the export has ended', async () => {
    const { data } = await supabase.from('exports').select().eq('id', id).neq('status', 'running');
    return found.push(...((data ?? []) as Export[])) > 0;
  });
  return found[0] as Export;
}

/** The files of an archive, by name. @throws {Error} when it is damaged */
export async function unpacked(archive: Buffer): Promise<Map<string, string>> {
  const zip = await promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer)(archive, {
    lazyEntries: true,
  });
  const files = new Map<string, string>();
  const finished = new Promise((resolve, reject) => zip.once('end', resolve).once('error', reject));
  zip.on('entry', (entry: yauzl.Entry) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) return void zip.emit('error', error);
      void buffer(stream).then((content) => {
        files.set(entry.fileName, content.toString());
        zip.readEntry();
      });
    });
  });
  zip.readEntry();
  await finished;
  return files;
}

/** The rows of an NDJSON file. */
export const rowsIn = (text = ''): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
