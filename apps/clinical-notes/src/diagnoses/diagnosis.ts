// A diagnosis does not end before it begins.

import { diagnoses, type Diagnosis } from '@practice/contracts';
import { reject } from '@practice/core';
import { changedEvents, type Decider } from '@practice/resource';

type Diagnoses = typeof diagnoses;

export const diagnosis: Decider<Diagnoses> = {
  definition: diagnoses,
  lookups: () => [],
  decide(command, state) {
    switch (command.kind) {
      case 'create':
        checkDays(command.record);
        return [{ type: 'DiagnosisMade', data: command.record }];
      case 'change':
        if (state !== null) checkDays({ ...state, ...command.changes });
        return changedEvents(diagnoses, command.changes);
      case 'delete':
        return [{ type: 'DiagnosisRemoved', data: {} }];
    }
  },
};

function checkDays({ since, until }: Pick<Diagnosis, 'since' | 'until'>): void {
  if (since !== null && until !== null && until < since)
    reject({
      status: 400,
      code: '23514',
      message: 'new row for relation "diagnoses" violates check constraint "diagnoses_until_check"',
      details: 'until must not be before since.',
      hint: 'Set since and until together.',
    });
}
