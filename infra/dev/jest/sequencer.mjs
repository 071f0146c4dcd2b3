// The order of the specs. Jest begins with the slowest, or with the longest file if it does not know the times yet.
import Sequencer from '@jest/test-sequencer';

/** These specs read the whole log or the whole stream, to which every other spec adds: they run first. */
const READS_EVERYTHING = /(rebuild|republish|verify-log|check-log|log-seals).*\.(int|e2e)\.spec\.ts$/;

export default class extends Sequencer {
  sort(tests) {
    const isEarly = ({ path }) => READS_EVERYTHING.test(path);
    const sorted = super.sort(tests);
    return [...sorted.filter(isEarly), ...sorted.filter((test) => !isEarly(test))];
  }
}
