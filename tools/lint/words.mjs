// The wording that the project avoids, one row per pattern. `instead` is shown with each finding. `example` is a
// sentence that the pattern must find (a spec checks all of them).

/** @typedef {{ pattern: RegExp, instead: string, example: string }} Row */

/** Patterns for comments, string literals (also error messages and test titles) and Markdown. @type {readonly Row[]} */
export const phrases = [
  row(/\bwho(m)?ever\b/i, 'name the person or program: "the caller", "any user"', 'Whoever asks gets it.'),
  row(
    /\bwherever\b/i,
    '"everywhere that", "from any address", or leave it out',
    'It is taken wherever it is.',
  ),
  row(/\b(no|some)body\b/i, '"no one", "no caller", "another user"', 'Nobody else sees it.'),
  row(/\bthose (who|that|of|which)\b/i, 'repeat the noun: "records that …"', 'Only those that are new.'),
  row(
    /(^|[.!?] )What(ever)?\b[^?]*$/,
    'begin with a noun: "Events that …", "The reason …"',
    'What is left of it.',
  ),
  row(/\bshall be so\b/i, 'name the action: "create or replace"', 'This record shall be so.'),
  row(/\bof (which|whom)\b/i, 'split the sentence: "It has …"', 'A stream of which nothing is left.'),
  row(/\bpass(es|ed)? (it |them )?over\b/i, '"ignore", "skip"', 'Unknown columns are passed over.'),
  row(/\b(is|are|was|were) none\b/i, '"there is no …"', 'A value that is none is refused.'),
  row(
    /\b(is|are|was|were|be|been|being) told\b/i,
    'name who reports what: "the response contains"',
    'The caller is told.',
  ),
  row(/\bbeliev(e|es|ed|ing)\b/i, '"accept", "trust"', 'Its tokens are believed.'),
  row(/\bmend(s|ed|ing)?\b/i, '"fix", "repair"', 'The next version mends it.'),
  row(
    /\btells\b|\btell (how|what|which|whether|who|where|when|why|it|of)\b/i,
    '"reports", "contains", "states"',
    'The header tells how many.',
  ),
  row(
    /\bsays (how|what|which|whether|who|where|when|why|so)\b/i,
    '"contains", "describes", "states"',
    'The page says what is published.',
  ),
  row(/\balone\b/i, '"only"', 'Its own records alone are shown.'),
  row(/\bas it were\b/i, 'leave it out', 'It is, as it were, a copy.'),
  row(/\banew\b/i, '"again"', 'Decide anew.'),
  row(/\b(is|are|be) come by\b/i, '"found", "read"', 'Rows are come by through an index.'),
  row(
    /\bstands? (in|at|on|beside|behind|below|above|there)\b/i,
    '"is", "are"',
    'The name stands in the log.',
  ),
  row(/\bsuch\b(?! as\b| an?\b)/i, 'repeat the noun', 'Such are refused.'),
  row(/\bwish(es|ed)?\b/i, '"request", "command", "intent"', 'A wish that is refused.'),
  row(/\byardsticks?\b/i, '"baseline"', 'Beside a yardstick.'),
  row(/\brosters?\b/i, '"process table"', 'The roster of processes.'),
  row(
    /\b(twins?|lanes?|neighbours?|stitch(es|ed|ing)?|preludes?)\b/i,
    'the term in docs/glossary.md',
    'Each lane has a twin.',
  ),
  row(
    /(^|[.!?] )(Should|Were|Had) (an?|the|it|they|others|one|this|that)\b/,
    'begin with "If"',
    'Should it be lost, a new one is made.',
  ),
  row(
    /(^|[.!?] )Of (an?|the|one|its|those|these|what|each|two)\b/,
    'subject first',
    'Of a record nothing is said.',
  ),
  row(
    /(^|[.!?;] )(So|Nor|Neither) (is|are|does|do|has|have|can|may|was|were)\b/,
    'repeat the subject: "X is also …"',
    'It is refused. So is a second one.',
  ),
];

/** Parts that identifiers may not have, as in `wishList` or `laneOf`. */
export const identifierWords = new Set(
  (
    'wish wishes twin twins lane lanes neighbour neighbours roster yardstick lifted stitch stitched ' +
    'prelude unheard'
  ).split(' '),
);

/** Names that files (without their extension) and folders may not have. */
export const fileNames = new Set(
  (
    'answers apart carry-out departures door echo follower guess-limit lanes lead letters lifted meeting ' +
    'neighbours planned prelude roster stitch succession taken-key told turns twins unheard wish wishes ' +
    'world yardstick'
  ).split(' '),
);

function row(pattern, instead, example) {
  return { pattern, instead, example };
}
