// The specs share a stream. If its first message is missing, messages seem to have left it because of their age: they do not count as
// lost, and a check of a mirror requests them again. So a spec that deletes its events must not publish the first message of the stream.

import { connect, replay, subjectOf } from '@practice/bus';
import { eventually, newPractice, stack } from '@practice/testing';

/** Resolves when the stream has an event that stays. All messages that the spec publishes come after it. */
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
