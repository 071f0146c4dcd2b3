// The archive of a practice as a stream of bytes: a ZIP with two files for each resource and each history, one as
// NDJSON and one as CSV, and a manifest at the end. Only the page that is being written is in memory.

import { createHash } from 'node:crypto';
import { type PassThrough, Readable } from 'node:stream';
import { catalog } from '@practice/contracts';
import { accessOf } from '@practice/resource';
import { ZipFile } from 'yazl';
import type { Bounds, Pages } from './pages.js';

/** The part of `Pages` that an archive needs. */
export type ArchiveSource = Pick<Pages, 'lines' | 'csv'>;

export interface ArchiveFacts {
  readonly therapistId: string;
  readonly exportId: string;
  readonly requestedAt: string;
}

interface ArchivedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * @param onProgress called with the share of the files that are complete, from 0 to 1
 * @returns the bytes; the stream fails when the source does
 */
export function archiveOf(
  facts: ArchiveFacts,
  source: ArchiveSource,
  onProgress: (part: number) => void,
): PassThrough {
  const zip = new ZipFile();
  const archived: ArchivedFile[] = [];
  const files = filesOf(source);
  const mtime = new Date(facts.requestedAt);
  const options = { mtime, mode: 0o100600 };
  const output = zip.outputStream as PassThrough;
  zip.on('error', (error: Error) => output.destroy(error));
  for (const { name, contents } of files) {
    const noted = (file: Omit<ArchivedFile, 'name'>): void => {
      archived.push({ name, ...file });
      onProgress(archived.length / files.length);
    };
    zip.addReadStreamLazy(name, options, (open) => {
      const input = Readable.from(measured(contents(), noted));
      // The library does not report an error of a file that it has begun to read.
      input.on('error', (error) => output.destroy(error));
      open(null, input);
    });
  }
  zip.addReadStreamLazy('manifest.json', options, (open) =>
    open(null, Readable.from([manifestOf(facts, archived)])),
  );
  zip.end();
  return output;
}

/** The files in the order of the catalog. Each CSV file has the same pages as the NDJSON file before it. */
function filesOf(source: ArchiveSource) {
  const archived = [...catalog.readable.values()].filter(
    (resource) => accessOf(resource, 'owner').of === undefined,
  );
  return archived.flatMap((resource) => {
    const bounds: Bounds = [];
    return [
      { name: `${resource.name}.ndjson`, contents: () => source.lines(resource, bounds) },
      { name: `${resource.name}.csv`, contents: () => source.csv(resource, bounds) },
    ];
  });
}

async function* measured(
  contents: AsyncGenerator<Buffer>,
  done: (file: Omit<ArchivedFile, 'name'>) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of contents) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  done({ bytes, sha256: hash.digest('hex') });
}

function manifestOf(facts: ArchiveFacts, files: readonly ArchivedFile[]): Buffer {
  const { therapistId: therapist_id, exportId: export_id, requestedAt: requested_at } = facts;
  const completed_at = new Date().toISOString();
  const manifest = { therapist_id, export_id, requested_at, completed_at, files };
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}
