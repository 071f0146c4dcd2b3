// Work in lanes: the items of a lane in order, different lanes at the same time. An item that fails is tried again in its
// place, so nothing of its lane can overtake it; meanwhile the other lanes go on. What can be done with many items at once
// is tried first, where there is a way: of all lanes, as much as has gathered.

export interface LaneOptions<Item> {
  /** Items in work at the same time, over all lanes. */
  readonly concurrency: number;
  readonly work: (item: Item) => Promise<void>;
  /** Told of an item's first, second … failure. @returns the milliseconds until the next attempt */
  readonly failed: (item: Item, failures: number, error: unknown) => number;
  readonly together?: Together<Item> | undefined;
}

/** How many items are done at once. */
export interface Together<Item> {
  /**
   * Tried before `work`: those of a lane in order. Should it fail, none of them is done.
   * @returns for each whether it is done; the others of its lane behind one that is not, are not either
   */
  readonly work: (items: readonly Item[]) => Promise<readonly boolean[]>;
  /** Told why none of them is done. */
  readonly failed: (error: unknown) => void;
  /** The most items at once. */
  readonly limit: number;
  /** Milliseconds from the beginning of one attempt to that of the next, in which items gather. */
  readonly everyMs: number;
}

export interface Lanes<Item> {
  add(lane: string, item: Item): void;
  /** Starts nothing more and drops what waits. Resolves when what is in work has ended. */
  stop(): Promise<void>;
}

interface Lane<Item> {
  readonly name: string;
  readonly items: Item[];
  failures: number;
  /** How many of its next items go by themselves before it is tried together with others. */
  alone: number;
  /** How often in a row nothing of it could be done together. */
  misses: number;
}

/**
 * What a lane holds tends to be of one kind: each time that none of it can be done together, twice as many go by themselves
 * before it is tried again, up to this many. Tried after each, a long lane would be looked through whole for every item of it.
 */
const MOST_ALONE = 64;

interface State<Item> extends LaneOptions<Item> {
  readonly lanes: Map<string, Lane<Item>>;
  /** Lanes whose first item may be worked on by itself. */
  readonly ready: Lane<Item>[];
  /** Lanes whose items may be done together. */
  readonly gathered: Lane<Item>[];
  readonly resting: Set<NodeJS.Timeout>;
  gathering: NodeJS.Timeout | undefined;
  /** Items are being done together. */
  isTogether: boolean;
  /** A lane has more behind an item that went alone: waiting for others would hold it up item by item. */
  isUrgent: boolean;
  /** When items were last done together, in milliseconds of `performance.now()`. */
  lastTogether: number;
  working: number;
  /** Once stopping: to be called when nothing is in work. */
  stopped: (() => void) | undefined;
}

export function createLanes<Item>(options: LaneOptions<Item>): Lanes<Item> {
  const state: State<Item> = {
    ...options,
    lanes: new Map(),
    ready: [],
    gathered: [],
    resting: new Set(),
    gathering: undefined,
    isTogether: false,
    isUrgent: false,
    lastTogether: -Infinity,
    working: 0,
    stopped: undefined,
  };
  return {
    add: (lane, item) => add(state, lane, item),
    stop: () =>
      new Promise((resolve) => {
        state.stopped = resolve;
        clearTimeout(state.gathering);
        state.resting.forEach(clearTimeout);
        if (state.working === 0) resolve();
      }),
  };
}

function add<Item>(state: State<Item>, name: string, item: Item): void {
  const lane = state.lanes.get(name);
  if (lane !== undefined) return void lane.items.push(item);
  const opened = { name, items: [item], failures: 0, alone: 0, misses: 0 };
  state.lanes.set(name, opened);
  line(state, opened);
  start(state);
}

/** Behind the others that are ready, so that a long lane leaves room for them. */
function line<Item>({ ready, gathered, together }: State<Item>, lane: Lane<Item>): void {
  (together === undefined || lane.alone > 0 ? ready : gathered).push(lane);
}

function start<Item>(state: State<Item>): void {
  if (state.stopped !== undefined) return;
  gather(state);
  while (state.working < state.concurrency) {
    const lane = state.ready.shift();
    if (lane === undefined) return;
    state.working++;
    void attempt(state, lane);
  }
}

function gather<Item>(state: State<Item>): void {
  const { together, gathered, lastTogether, isUrgent } = state;
  if (together === undefined || gathered.length === 0 || state.isTogether) return;
  if (state.gathering !== undefined && !isUrgent) return;
  clearTimeout(state.gathering);
  const wait = isUrgent ? 0 : Math.max(0, lastTogether + together.everyMs - performance.now());
  state.gathering = setTimeout(() => void attemptTogether(state, together), wait);
}

async function attemptTogether<Item>(state: State<Item>, together: Together<Item>): Promise<void> {
  state.working++;
  state.isTogether = true;
  state.isUrgent = false;
  state.lastTogether = performance.now();
  const attempted: { readonly lane: Lane<Item>; readonly items: readonly Item[] }[] = [];
  for (let room = together.limit; room > 0;) {
    const lane = state.gathered.shift();
    if (lane === undefined) break;
    attempted.push({ lane, items: lane.items.slice(0, room) });
    room -= lane.items.length;
  }
  const done = await doneOf(
    together,
    attempted.flatMap(({ items }) => items),
  );
  let at = 0;
  for (const { lane, items } of attempted) {
    const undone = items.findIndex((_, index) => done[at + index] !== true);
    at += items.length;
    lane.misses = undone === 0 ? lane.misses + 1 : 0;
    if (undone !== -1) lane.alone = Math.min(MOST_ALONE, 2 ** Math.max(0, lane.misses - 1));
    finish(state, lane, undone === -1 ? items.length : undone);
  }
  state.gathering = undefined;
  state.isTogether = false;
  ended(state);
}

async function doneOf<Item>(
  { work, failed }: Together<Item>,
  items: readonly Item[],
): Promise<readonly boolean[]> {
  try {
    return await work(items);
  } catch (error) {
    failed(error);
    return [];
  }
}

async function attempt<Item>(state: State<Item>, lane: Lane<Item>): Promise<void> {
  const item = lane.items[0] as Item;
  try {
    await state.work(item);
    lane.failures = 0;
    lane.alone = Math.max(0, lane.alone - 1);
    state.isUrgent ||= lane.alone === 0 && lane.items.length > 1;
    finish(state, lane, 1);
  } catch (error) {
    rest(state, lane, state.failed(item, ++lane.failures, error));
  }
  ended(state);
}

/** So many of the lane's first items are done. */
function finish<Item>(state: State<Item>, lane: Lane<Item>, count: number): void {
  lane.items.splice(0, count);
  if (lane.items.length > 0) line(state, lane);
  else state.lanes.delete(lane.name);
}

function ended<Item>(state: State<Item>): void {
  state.working--;
  if (state.stopped === undefined) start(state);
  else if (state.working === 0) state.stopped();
}

function rest<Item>(state: State<Item>, lane: Lane<Item>, milliseconds: number): void {
  if (state.stopped !== undefined) return;
  const timer = setTimeout(() => {
    state.resting.delete(timer);
    state.ready.push(lane);
    start(state);
  }, milliseconds);
  state.resting.add(timer);
}
