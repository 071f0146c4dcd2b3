// The specs share a stream. Without its first message, it counts as one whose messages have left because of their age: missing
// ones are not lost, and a check of a mirror has them published again. So a spec that deletes its events must not begin the stream.

import { connect, replay, subjectOf } from '@practice/bus';
import { eventually, newPractice, stack } from '@practice/testing';

/** Resolves when the stream has an event that stays: everything that the spec publishes comes behind it. */
export async function keptBeginning(): Promise<void> {
  const logger = { info() {}, warn() {}, error() {} };
  const connection = await connect({ url: stack().natsUrl('admin'), name: 'kept beginning', logger });
  try {
    const { therapistId } = await newPractice();
    const subjects = [subjectOf({ therapistId })];
    const hasEvent = async () => (await replay({ connection, subjects }).next()).done === false;
    await eventually('the stream has an event that stays', hasEvent);
  } finally {
    await connection.close();
  }
}
