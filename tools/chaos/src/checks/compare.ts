// The comparison at the end of a load: of all data with the journal of the callers, and the product's own checks.
import type { Stack } from '@practice/start';
import type { Load } from '../load.js';
import { finding, type Finding } from './finding.js';
import { checkByPrograms, checkChain } from './programs.js';
import { settle } from './settle.js';

/** How long relays and followers may need at the end. */
const SETTLES_WITHIN = 120_000;

/** @param folder receives the output of programs */
export async function compare(stack: Stack, load: Load, folder: string): Promise<Finding[]> {
  const { journal, practices, api } = load;
  const settled = await settle({ ...load, databaseUrl: stack.adminDatabaseUrl, within: SETTLES_WITHIN });
  const chains = await Promise.all(practices.map((practice) => checkChain(api, practice)));
  return [
    ...journal.wrong.map(finding('inconsistent')),
    ...settled,
    ...chains.flat(),
    ...(await checkByPrograms(stack, folder)),
  ];
}
