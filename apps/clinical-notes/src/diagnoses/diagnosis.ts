import { diagnoses } from '@practice/contracts';
import { reject } from '@practice/core';
import { deciderOf } from '@practice/resource';

/** A diagnosis does not end before it begins. */
export const diagnosis = deciderOf(diagnoses, {
  check({ since, until }) {
    if (since !== null && until !== null && until < since) reject(endsFirst);
  },
});

const endsFirst = {
  status: 400,
  code: '23514',
  message: 'new row for relation "diagnoses" violates check constraint "diagnoses_until_check"',
  details: 'until must not be before since.',
  hint: 'Set since and until together.',
};
