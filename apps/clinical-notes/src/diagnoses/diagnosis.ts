import { diagnoses } from '@practice/contracts';
import { reject } from '@practice/core';
import { brokenCheck, deciderOf } from '@practice/resource';

/** The rules of a diagnosis: it cannot end before it begins. */
export const diagnosis = deciderOf(diagnoses, {
  check({ since, until }) {
    if (since !== null && until !== null && until < since) reject(endsFirst);
  },
});

const endsFirst = brokenCheck('until must not be before since.', 'Set since and until together.');
