import { migration } from '@practice/service';

/** A link of a mail may be good only for the browser that asked for it: it then leads to a code, which that one exchanges. */
export const CodeChallenges1763710000000 = migration('CodeChallenges1763710000000', [
  `ALTER TABLE gateway.mailed_tokens
    ADD COLUMN code_challenge text,
    DROP CONSTRAINT mailed_tokens_purpose_check,
    ADD CONSTRAINT mailed_tokens_purpose_check CHECK (purpose IN ('recovery', 'reauthentication', 'code'))`,
]);
