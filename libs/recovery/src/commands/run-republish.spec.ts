import { describe, expect, it } from '@jest/globals';
import { parseRepublishArguments } from './run-republish.js';

const id = '018f0000-0000-7000-8000-000000000001';

describe('the arguments of republish', () => {
  it.each<[string[], object]>([
    [[], {}],
    [['--from', '42'], { from: { position: 42 } }],
    [['--from', '2026-05-01'], { from: { time: '2026-05-01T00:00:00+00:00' } }],
    [['--from', '2026-05-01T10:00+02:00'], { from: { time: '2026-05-01T08:00:00+00:00' } }],
    [['--practice', id, '--from', '1'], { practice: id, from: { position: 1 } }],
  ])('%j', (args, wanted) => {
    expect(parseRepublishArguments(args)).toEqual(wanted);
  });

  it.each([
    [['--from', '0']],
    [['--from', 'yesterday']],
    [['--practice', 'me']],
    [['--all']],
    [['everything']],
  ])('%j is rejected', (args) => {
    expect(typeof parseRepublishArguments(args)).toBe('string');
  });
});
