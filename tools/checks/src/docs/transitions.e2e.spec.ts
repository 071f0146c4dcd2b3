import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAll, newPractice, write } from '@practice/testing';
import { projectFolder } from '@practice/operator';

const page = readFileSync(join(projectFolder, 'docs', 'resources.md'), 'utf8');

/** The allowed changes of status on the page: for each status, the statuses that may follow. */
const [, section = ''] = /<!--appointments-->([^]*?)<!--end-->/.exec(page) ?? [];
const allowed = new Map(
  [...section.matchAll(/^- from (\w+) to (.+)$/gm)].map(([, from = '', to = '']) => [from, to.split(', ')]),
);

describe('the transitions in docs/resources.md', () => {
  it('match the system for every pair of statuses', async () => {
    const statuses = [...allowed.keys()];
    expect(statuses).toHaveLength(5);
    const practice = await newPractice();
    const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to })));
    const made = await makeAll(
      practice,
      'appointments?select=id',
      pairs.map(({ from: status }, day) => ({
        date: `2030-01-${String(day + 1).padStart(2, '0')}`,
        start_time: '09:00',
        end_time: '10:00',
        status,
      })),
    );
    for (const [index, { from, to }] of pairs.entries()) {
      const { id } = made[index] ?? { id: '' };
      const answer = await write(practice, `appointments?id=eq.${id}`, {
        method: 'PATCH',
        body: { status: to },
      });
      const isAllowed = from === to || allowed.get(from)?.includes(to);
      expect({ from, to, status: answer.status }).toEqual({ from, to, status: isAllowed ? 204 : 409 });
    }
  });
});
