// Runs the jobs of a key in order, and jobs of different keys in parallel. A failed job is retried before the later jobs of its key,
// so that none overtakes it. If there is a batch function, jobs of all keys are first tried in batches.

/** The decision about a failed job: retry it after this many milliseconds, or give it up and continue with the next one. */
export type AfterFailure = { readonly retryInMs: number } | 'give up';

export interface KeyedQueueOptions<Job> {
  /** The maximum number of attempts that run at the same time, over all keys. A batch counts as one. */
  readonly concurrency: number;
  readonly work: (job: Job) => Promise<void>;
  /** Called after each failure of a job. `failures` is the number of its failures in a row. It must not throw. */
  readonly failed: (job: Job, failures: number, error: unknown) => AfterFailure | Promise<AfterFailure>;
  readonly batch?: BatchOptions<Job> | undefined;
}

export interface BatchOptions<Job> {
  /**
   * Tried before `work`, with each key's jobs in order. If it throws, no job of the batch is done.
   * @returns for each job whether it is done; if a job is not done, no later job of its key is done either
   */
  readonly work: (jobs: readonly Job[]) => Promise<readonly boolean[]>;
  readonly failed: (error: unknown) => void;
  /** The maximum number of jobs in a batch. */
  readonly limit: number;
  /** The milliseconds from the start of one batch to the start of the next. Jobs accumulate in this time. */
  readonly everyMs: number;
}

export type KeyedQueue<Job> = ReturnType<typeof createKeyedQueue<Job>>;

interface KeyState<Job> {
  readonly key: string;
  readonly jobs: Job[];
  failures: number;
  /** How many of the next jobs run one by one before the key is tried in a batch again. */
  oneByOne: number;
  /** How many batches in a row did none of the key's jobs. */
  misses: number;
}

/**
 * The maximum of `oneByOne`. A key's jobs tend to be of one kind. Each time a batch does none of them, twice as many run one by one
 * before the next batch. Otherwise a long queue would be passed to a batch in full after each of its jobs.
 */
const MOST_ONE_BY_ONE = 64;

interface State<Job> extends KeyedQueueOptions<Job> {
  readonly keys: Map<string, KeyState<Job>>;
  /** Keys whose first job may run by itself. */
  readonly ready: KeyState<Job>[];
  /** Keys whose jobs may run in a batch. */
  readonly forBatch: KeyState<Job>[];
  readonly retries: Set<NodeJS.Timeout>;
  batchTimer: NodeJS.Timeout | undefined;
  isBatchRunning: boolean;
  /** The next batch starts at once: a key whose job ran by itself has more jobs, and waiting would delay each of them. */
  isUrgent: boolean;
  /** When the last batch began, in milliseconds of `performance.now()`. */
  lastBatch: number;
  running: number;
  /** Set by `stop`: called when nothing runs any more. */
  stopped: (() => void) | undefined;
}

export function createKeyedQueue<Job>(options: KeyedQueueOptions<Job>) {
  const state: State<Job> = {
    ...options,
    keys: new Map(),
    ready: [],
    forBatch: [],
    retries: new Set(),
    batchTimer: undefined,
    isBatchRunning: false,
    isUrgent: false,
    lastBatch: -Infinity,
    running: 0,
    stopped: undefined,
  };
  return {
    add: (key: string, job: Job): void => add(state, key, job),
    /** Starts nothing more and drops the waiting jobs. Resolves when the running ones have ended. */
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        state.stopped = resolve;
        clearTimeout(state.batchTimer);
        state.retries.forEach(clearTimeout);
        if (state.running === 0) resolve();
      }),
  };
}

function add<Job>(state: State<Job>, key: string, job: Job): void {
  const known = state.keys.get(key);
  if (known !== undefined) return void known.jobs.push(job);
  const added = { key, jobs: [job], failures: 0, oneByOne: 0, misses: 0 };
  state.keys.set(key, added);
  enqueue(state, added);
  start(state);
}

/** Puts the key behind the other keys, so that a key with many jobs does not hold up the others. */
function enqueue<Job>({ ready, forBatch, batch }: State<Job>, key: KeyState<Job>): void {
  (batch === undefined || key.oneByOne > 0 ? ready : forBatch).push(key);
}

function start<Job>(state: State<Job>): void {
  if (state.stopped !== undefined) return;
  scheduleBatch(state);
  while (state.running < state.concurrency) {
    const key = state.ready.shift();
    if (key === undefined) return;
    state.running++;
    void runOne(state, key);
  }
}

function scheduleBatch<Job>(state: State<Job>): void {
  const { batch, forBatch, lastBatch, isUrgent } = state;
  if (batch === undefined || forBatch.length === 0 || state.isBatchRunning) return;
  if (state.batchTimer !== undefined && !isUrgent) return;
  clearTimeout(state.batchTimer);
  const wait = isUrgent ? 0 : Math.max(0, lastBatch + batch.everyMs - performance.now());
  state.batchTimer = setTimeout(() => void runBatch(state, batch), wait);
}

async function runBatch<Job>(state: State<Job>, batch: BatchOptions<Job>): Promise<void> {
  state.running++;
  state.isBatchRunning = true;
  state.isUrgent = false;
  state.lastBatch = performance.now();
  const parts: { readonly key: KeyState<Job>; readonly jobs: readonly Job[] }[] = [];
  for (let room = batch.limit; room > 0;) {
    const key = state.forBatch.shift();
    if (key === undefined) break;
    parts.push({ key, jobs: key.jobs.slice(0, room) });
    room -= key.jobs.length;
  }
  const done = await resultOf(
    batch,
    parts.flatMap(({ jobs }) => jobs),
  );
  let at = 0;
  for (const { key, jobs } of parts) {
    const undone = jobs.findIndex((_, index) => done[at + index] !== true);
    at += jobs.length;
    key.misses = undone === 0 ? key.misses + 1 : 0;
    if (undone !== -1) key.oneByOne = Math.min(MOST_ONE_BY_ONE, 2 ** Math.max(0, key.misses - 1));
    remove(state, key, undone === -1 ? jobs.length : undone);
  }
  state.batchTimer = undefined;
  state.isBatchRunning = false;
  ended(state);
}

async function resultOf<Job>(
  { work, failed }: BatchOptions<Job>,
  jobs: readonly Job[],
): Promise<readonly boolean[]> {
  try {
    return await work(jobs);
  } catch (error) {
    failed(error);
    return [];
  }
}

async function runOne<Job>(state: State<Job>, key: KeyState<Job>): Promise<void> {
  const job = key.jobs[0] as Job;
  try {
    await state.work(job);
    finishOne(state, key);
  } catch (error) {
    const next = await state.failed(job, ++key.failures, error);
    if (next === 'give up') finishOne(state, key);
    else retryLater(state, key, next.retryInMs);
  }
  ended(state);
}

function finishOne<Job>(state: State<Job>, key: KeyState<Job>): void {
  key.failures = 0;
  key.oneByOne = Math.max(0, key.oneByOne - 1);
  state.isUrgent ||= key.oneByOne === 0 && key.jobs.length > 1;
  remove(state, key, 1);
}

/** Removes the key's first jobs, which are finished. */
function remove<Job>(state: State<Job>, key: KeyState<Job>, count: number): void {
  key.jobs.splice(0, count);
  if (key.jobs.length > 0) enqueue(state, key);
  else state.keys.delete(key.key);
}

function ended<Job>(state: State<Job>): void {
  state.running--;
  if (state.stopped === undefined) start(state);
  else if (state.running === 0) state.stopped();
}

function retryLater<Job>(state: State<Job>, key: KeyState<Job>, milliseconds: number): void {
  if (state.stopped !== undefined) return;
  const timer = setTimeout(() => {
    state.retries.delete(timer);
    state.ready.push(key);
    start(state);
  }, milliseconds);
  state.retries.add(timer);
}
