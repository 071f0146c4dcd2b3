// Deletes messages securely: the server overwrites their bytes on the disk.

import { DEAD_LETTER_STREAM } from '@practice/contracts';
import type { Connection } from '../messaging/connection.js';
import { ifFound, streamsOf } from './consumers.js';
import { letterSubjects } from './dead-letters.js';
import { eventIn, STREAM, type PublishedEvent } from './envelope.js';

/** Deletes messages of the stream of events. @param sequences may include messages that are already deleted */
export async function deleteMessages(connection: Connection, sequences: readonly number[]): Promise<void> {
  const { streams } = await streamsOf(connection);
  for (const sequence of sequences) await ifFound(streams.deleteMessage(STREAM, sequence, true));
}

/** Deletes the dead letters of events for which `isMeant` returns true. @returns how many it deleted */
export async function deleteDeadLetters(
  connection: Connection,
  isMeant: (event: PublishedEvent) => boolean,
): Promise<number> {
  const { streams } = await streamsOf(connection);
  let deleted = 0;
  for (const subject of Object.keys(await letterSubjects(connection))) {
    const message = await ifFound(streams.getMessage(DEAD_LETTER_STREAM, { last_by_subj: subject }));
    if (message == null) continue;
    const event = eventIn(message.header.get('subject'), message.data);
    if (event === undefined || !isMeant(event)) continue;
    await ifFound(streams.deleteMessage(DEAD_LETTER_STREAM, message.seq, true));
    deleted += 1;
  }
  return deleted;
}
