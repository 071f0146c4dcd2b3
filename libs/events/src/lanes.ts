// Work in lanes: one item of a lane at a time, in order, different lanes at the same time. An item that fails
// is tried again in its place, so nothing of its lane can overtake it; meanwhile the other lanes go on.

export interface LaneOptions<Item> {
  /** Items in work at the same time, over all lanes. */
  readonly concurrency: number;
  readonly work: (item: Item) => Promise<void>;
  /** Told of an item's first, second … failure. @returns the milliseconds until the next attempt */
  readonly failed: (item: Item, failures: number, error: unknown) => number;
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
}

interface State<Item> extends LaneOptions<Item> {
  readonly lanes: Map<string, Lane<Item>>;
  /** Lanes whose first item may be worked on. */
  readonly ready: Lane<Item>[];
  readonly resting: Set<NodeJS.Timeout>;
  working: number;
  /** Once stopping: to be called when nothing is in work. */
  stopped: (() => void) | undefined;
}

export function createLanes<Item>(options: LaneOptions<Item>): Lanes<Item> {
  const state: State<Item> = {
    ...options,
    lanes: new Map(),
    ready: [],
    resting: new Set(),
    working: 0,
    stopped: undefined,
  };
  return {
    add: (lane, item) => add(state, lane, item),
    stop: () =>
      new Promise((resolve) => {
        state.stopped = resolve;
        state.resting.forEach(clearTimeout);
        if (state.working === 0) resolve();
      }),
  };
}

function add<Item>(state: State<Item>, name: string, item: Item): void {
  const lane = state.lanes.get(name);
  if (lane !== undefined) return void lane.items.push(item);
  const opened = { name, items: [item], failures: 0 };
  state.lanes.set(name, opened);
  state.ready.push(opened);
  startReady(state);
}

function startReady<Item>(state: State<Item>): void {
  while (state.stopped === undefined && state.working < state.concurrency) {
    const lane = state.ready.shift();
    if (lane === undefined) return;
    state.working++;
    void attempt(state, lane);
  }
}

async function attempt<Item>(state: State<Item>, lane: Lane<Item>): Promise<void> {
  const item = lane.items[0] as Item;
  try {
    await state.work(item);
    succeeded(state, lane);
  } catch (error) {
    rest(state, lane, state.failed(item, ++lane.failures, error));
  }
  state.working--;
  if (state.stopped === undefined) startReady(state);
  else if (state.working === 0) state.stopped();
}

function succeeded<Item>({ lanes, ready }: State<Item>, lane: Lane<Item>): void {
  lane.items.shift();
  lane.failures = 0;
  // Behind the others that are ready, so that a long lane leaves room for them.
  if (lane.items.length > 0) ready.push(lane);
  else lanes.delete(lane.name);
}

function rest<Item>(state: State<Item>, lane: Lane<Item>, milliseconds: number): void {
  if (state.stopped !== undefined) return;
  const timer = setTimeout(() => {
    state.resting.delete(timer);
    state.ready.push(lane);
    startReady(state);
  }, milliseconds);
  state.resting.add(timer);
}
