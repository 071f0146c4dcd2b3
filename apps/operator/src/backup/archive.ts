// The archive of a system's write-ahead log: the timeline that a restore follows, and the first file that is missing on it.
import { text } from 'node:stream/consumers';
import { Failure } from '../common/failure.js';
import { walName, type Base } from './layout.js';
import type { Target } from './target.js';

/** A part of the way to a timeline: its segments from `first` to `last`. */
interface Branch {
  readonly timeline: number;
  readonly first: number;
  readonly last: number;
}

const SEGMENT = /^[0-9A-F]{24}$/;
const SEGMENTS_PER_LOG = 256;

const hex = (number: number): string => number.toString(16).toUpperCase().padStart(8, '0');
const timelineOf = (file: string): number => parseInt(file.slice(0, 8), 16);
const segmentOf = (file: string): number =>
  parseInt(file.slice(8, 16), 16) * SEGMENTS_PER_LOG + parseInt(file.slice(16, 24), 16);
const fileOf = (timeline: number, segment: number): string =>
  hex(timeline) + hex(Math.floor(segment / SEGMENTS_PER_LOG)) + hex(segment % SEGMENTS_PER_LOG);

/**
 * Reads the names in the archive, and the history of the timeline.
 * @param wanted the number of a timeline; the latest one if it is undefined
 * @throws {Failure} if the history of the timeline is missing or damaged
 */
export async function archiveOf(target: Target, system: string, wanted?: number) {
  const names = target.list(walName(system, ''));
  const timeline = wanted ?? names.reduce((latest, name) => Math.max(latest, timelineOf(name)), 1);
  const branches = await branchesTo(timeline, target, system);
  const files = names.filter((name) => SEGMENT.test(name) && branches.some((branch) => isOn(branch, name)));
  const known = new Set(files);
  const end = files.reduce((last, file) => Math.max(last, segmentOf(file)), 0);
  return {
    /** The timeline that a restore follows. */
    timeline,
    // A base backup begins a segment, so a switch to another timeline after it is in a later one.
    /** Whether the timeline contains the base backup. A backup from a branch that a restore has left is not contained. */
    contains: ({ firstWal }: Base): boolean =>
      branches.some((branch) => isOn(branch, firstWal) && segmentOf(firstWal) < branch.last),
    /** The first file that is missing between the base backup and the end of the archive. */
    gapAfter: ({ firstWal }: Base): string | undefined => {
      const first = segmentOf(firstWal);
      for (let segment = first; segment === first || segment < end; segment++) {
        const { timeline: own = timeline } = branches.findLast((branch) => branch.first <= segment) ?? {};
        const file = fileOf(own, segment);
        if (!known.has(file)) return file;
      }
      return undefined;
    },
  };
}

export type Archive = Awaited<ReturnType<typeof archiveOf>>;

const isOn = ({ timeline, first, last }: Branch, file: string): boolean =>
  timeline === timelineOf(file) && first <= segmentOf(file) && segmentOf(file) <= last;

const historyOf = (system: string, timeline: number): string => walName(system, `${hex(timeline)}.history`);

/** Whether the archive has a timeline. The first one has no history. */
export const hasTimeline = (target: Target, system: string, timeline: number): boolean =>
  timeline === 1 || target.has(historyOf(system, timeline));

/** Reads the history of a timeline: one line for each earlier timeline, with its number and the place in the log where it ended. */
async function branchesTo(timeline: number, target: Target, system: string): Promise<Branch[]> {
  const name = historyOf(system, timeline);
  if (!hasTimeline(target, system, timeline))
    throw new Failure(`The backup has no timeline ${timeline}: the file ${name} is missing.`);
  const history = timeline === 1 ? '' : await text(target.get(name));
  const left = [...history.matchAll(/^(\d+)\t([0-9A-F]+)\/([0-9A-F]+)\t/gm)].map(
    ([, number, log, offset]) => ({
      timeline: Number(number),
      last: parseInt(log ?? '', 16) * SEGMENTS_PER_LOG + Math.floor(parseInt(offset ?? '', 16) / 2 ** 24),
    }),
  );
  return [...left, { timeline, last: Infinity }].map((branch, index) => ({
    ...branch,
    first: left[index - 1]?.last ?? 0,
  }));
}
