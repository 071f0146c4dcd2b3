// The service is killed while drafts are saved. At most, the text of a save that was not acknowledged is lost.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { make, newPractice, ownStack, type OwnStack, type Practice } from '@practice/testing';
import { draftsOf, saveDraft } from './testing/drafts.js';

let own: OwnStack;
let practice: Practice;
let notes: Awaited<ReturnType<OwnStack['start']>>;

beforeAll(async () => {
  own = await ownStack();
  const [gateway] = await Promise.all(
    ['gateway', 'identity', 'clients'].map((service) => own.start(service)),
  );
  notes = await own.start('clinical-notes');
  practice = await newPractice(gateway?.origin);
});

afterAll(() => own.stop());

it('loses no acknowledged draft when the service is killed in the middle of saves', async () => {
  const { id: client_id } = await make(practice, 'clients', { name: 'Ada' });
  const { id } = await make(practice, 'sessions', { client_id });
  let version: string | null = null;
  let acknowledged: string | null = null;
  for (let round = 0; round < 3; round += 1) {
    let sent = '';
    let isUp = true;
    setTimeout(() => process.kill(notes.pid, 'SIGKILL'), 100 + 70 * round);
    for (let word = 0; isUp; word += 1) {
      sent = `round ${round} word ${word}`;
      const answer = await saveDraft(practice, { session_id: id, version, plan: sent });
      isUp = answer.status === 200;
      if (!isUp) continue;
      acknowledged = sent;
      ({ version } = answer.json as { version: string });
    }
    notes = await own.start('clinical-notes');
    const [draft] = await draftsOf(practice, id);
    expect([acknowledged, sent]).toContain(draft?.plan ?? null);
    [version, acknowledged] = [draft?.version ?? null, draft?.plan ?? null];
  }
});
