// Rules for new passwords, and password hashes (argon2id, computed off the event loop).

import { createRequire } from 'node:module';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import type * as Core from '@zxcvbn-ts/core';
import type * as Common from '@zxcvbn-ts/language-common';
import { BoundedQueue } from '../calls/bounded-queue.js';
import { problems, refuse } from '../calls/problems.js';

// Passwords that attackers try first: passwords of known leaks, and words with a year, digits or signs added. The dictionaries take
// 23 MiB, so they are loaded with the first new password.

/** Passwords that need fewer guesses are refused. This is about the number of leaked passwords that are in use. */
const FEW_GUESSES = 1e6;
/** How many characters are checked: a check takes longer with each character, and further characters only make a password stronger. */
const CHECKED_LENGTH = 24;
/** Substitutions of digits and signs for letters that are tried. Each one is another check. */
const SUBSTITUTIONS = 4;

/** Words that are more common here than elsewhere. */
const words = [
  ...'practice therapist therapy physio physiotherapy massage clinic patient client'.split(' '),
  ...'doctor appointment session spring summer autumn winter'.split(' '),
];

const require = createRequire(import.meta.url);
let estimator: Core.ZxcvbnFactory | undefined;

/** Whether a password is common, or little more than the address of the account. */
function isCommonPassword(password: string, email: string): boolean {
  const known = [email, email.slice(0, email.indexOf('@')), ...email.split(/[@.+_-]/)];
  return [password, withoutDecoration(password)].some(
    (text) =>
      known.includes(text.toLowerCase()) ||
      estimate().check(text.slice(0, CHECKED_LENGTH), known).guesses < FEW_GUESSES,
  );
}

/** The password without signs at its end: attackers also try `Password1!` for `Password1`. */
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

const MIN_LENGTH = 8;
const MAX_LENGTH = 72;

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, parallelism 1. These are also the library's defaults. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The beginning of a hash that was made with these parameters. Version 19 is argon2's latest (RFC 9106). */
const CURRENT = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$`;

/** Whether a hash was made with other parameters, and the password should be hashed again when it is known. */
export const isOutdated = (passwordHash: string): boolean => !passwordHash.startsWith(CURRENT);

/** A hash occupies a core and 19 MiB, so more at the same time would only make each of them slower. */
const LIMITS = { atOnce: 2, mayWait: 200 };
/** All passwords wait in the same queue. */
const KEY = 'password';

/**
 * Checks a new password.
 * @param email of the account; it is refused as a password
 * @throws {Rejection} when it is missing, not 8 to 72 characters long, or common
 */
export function checkNewPassword(password: unknown, email: string): string {
  if (typeof password !== 'string' || password === '') return refuse(problems.missingPassword);
  const length = [...password].length;
  if (length < MIN_LENGTH) refuse(problems.shortPassword);
  if (length > MAX_LENGTH) refuse(problems.longPassword);
  if (isCommonPassword(password, email)) refuse(problems.commonPassword);
  return password;
}

/** Hashes and compares passwords, a few at a time. */
@Injectable()
export class Passwords {
  private readonly queue = new BoundedQueue(LIMITS);
  /** Compared with when there is no account, so that the check takes equally long. */
  private readonly unknownHash = hash('a password without an account', COST);

  /** @throws {Rejection} when too many requests are waiting */
  hash(password: string): Promise<string> {
    return this.queue.run(KEY, () => hash(password, COST));
  }

  /**
   * Whether the hash was made from the password. Takes equally long when there is no hash.
   * @throws {Rejection} when too many requests are waiting
   */
  async matches(passwordHash: string | undefined, password: string): Promise<boolean> {
    const comparedWith = passwordHash ?? (await this.unknownHash);
    const isSame = await this.queue.run(KEY, () => verify(comparedWith, password));
    return isSame && passwordHash !== undefined;
  }
}
