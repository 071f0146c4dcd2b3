// Passwords that attackers try first: passwords of known leaks, and words with a year, digits or signs added. The dictionaries take
// 23 MiB, so they are loaded with the first new password.

import { createRequire } from 'node:module';
import type * as Core from '@zxcvbn-ts/core';
import type * as Common from '@zxcvbn-ts/language-common';

/** An attacker who may try this many would find the password: about the number of leaked passwords that are in use. */
const FEW_GUESSES = 1e6;
/** The time of a check grows with the length, and further characters make a password only stronger. */
const CHECKED_LENGTH = 24;
/** Substitutions of digits and signs for letters that are tried. Each one is another check. */
const SUBSTITUTIONS = 4;

/** Words that are more common here than elsewhere. */
const words = [
  ...[
    'practice',
    'therapist',
    'therapy',
    'physio',
    'physiotherapy',
    'massage',
    'clinic',
    'patient',
    'client',
  ],
  ...['doctor', 'appointment', 'session', 'spring', 'summer', 'autumn', 'winter'],
];

const require = createRequire(import.meta.url);
let estimator: Core.ZxcvbnFactory | undefined;

/** Whether a password is common, or hardly more than the account's own address. */
export function isCommonPassword(password: string, email: string): boolean {
  const known = [email, email.slice(0, email.indexOf('@')), ...email.split(/[@.+_-]/)];
  return [password, withoutDecoration(password)].some(
    (text) =>
      known.includes(text.toLowerCase()) ||
      estimate().check(text.slice(0, CHECKED_LENGTH), known).guesses < FEW_GUESSES,
  );
}

/** Attackers also try `Password1!` for `Password1`. */
const withoutDecoration = (password: string): string => password.replace(/[!?.*#$@_-]{1,4}$/, '');

function estimate(): Core.ZxcvbnFactory {
  if (estimator !== undefined) return estimator;
  const core = require('@zxcvbn-ts/core') as typeof Core;
  const common = require('@zxcvbn-ts/language-common') as typeof Common;
  estimator = new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, words },
    graphs: common.adjacencyGraphs,
    l33tMaxSubstitutions: SUBSTITUTIONS,
  });
  return estimator;
}
