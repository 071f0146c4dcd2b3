// The order of the specs. Jest begins with the slowest, or with the longest file if it does not know the times yet.
import Sequencer from '@jest/test-sequencer';

/** These specs read the whole log or the whole stream, to which every other spec adds: they run first. */
const READS_EVERYTHING =
  /(rebuild|republish|verify-log|check-log|log-seals|outside-user|events\/subscriber|following\/growth).*\.(int|e2e)\.spec\.ts$/;

/**
 * Each of these specs takes half a minute on a busy machine, although some of their files are the shortest. On a fresh clone Jest does not
 * know the times: these specs would begin last, and a processor would have nothing to do while the last of them runs.
 */
const LONG =
  /(chaos|backup|isolation|without-filter|dangling-references|erase-client|restored-database|restored-erasure|recovery|lost-events|contested-bookings|previous-release)\.e2e\.spec\.ts$/;

function rankOf({ path }) {
  if (READS_EVERYTHING.test(path)) return 0;
  return LONG.test(path) ? 1 : 2;
}

export default class extends Sequencer {
  sort(tests) {
    // A stable sort: within a rank, the order of Jest stays.
    return super.sort(tests).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
