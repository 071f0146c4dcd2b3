// Writes of the user. Each ends in a toast, which offers an undo or shows the reason of a refusal.

import { api, type Call, type DataOf, isUnanswered, type Problem, write } from '../api/client.js';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly changeId?: string | null;
  readonly problem?: Problem;
  readonly retry?: () => unknown;
}

const SECONDS = 12;
let last = 0;

class Toasts {
  list = $state.raw<readonly Toast[]>([]);
  /** The number of users who have left. */
  left = 0;

  show(toast: Omit<Toast, 'id'>): void {
    const id = ++last;
    this.list = [...this.list.slice(-2), { id, ...toast }];
    // A toast with an error stays until the user closes it.
    if (!toast.problem) this.closeSoon(id);
  }

  /** Closes a toast after its time, unless the pointer or the focus is on the toasts then. */
  private closeSoon(id: number): void {
    const isUsed = (): unknown => document.querySelector('.toasts:is(:hover, :focus-within)');
    setTimeout(() => (isUsed() ? this.closeSoon(id) : this.close(id)), SECONDS * 1000);
  }

  /** Closes all toasts when the user leaves. */
  clear(): void {
    this.list = [];
    this.left += 1;
  }

  close(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();

export interface ActOptions<Data> {
  /** Returns true if the problem is shown elsewhere. */
  readonly onProblem?: (problem: Problem) => boolean;
  readonly onDone?: (data: Data) => unknown;
  /** False for a write that cannot be undone. */
  readonly canUndo?: boolean;
  /** Begins the idempotency key. A retry repeats it, so that the write is executed once. */
  readonly attempt?: string;
}

/** Begins the idempotency keys until an answer arrives: the same request again has the same key. */
let current: string = crypto.randomUUID();

async function send<Request extends Call>(request: Request, attempt = current) {
  const written = await write(request, attempt);
  const hasAnswer = written.problem === null || !isUnanswered(written.problem);
  current = hasAnswer ? crypto.randomUUID() : attempt;
  return { ...written, attempt, hasAnswer };
}

/**
 * Sends a write, and shows its result in a toast.
 * @param text of the toast: `Cancelled: Ada, 10:00`
 * @param call makes the request, and makes it again for a retry
 * @returns whether it succeeded before the user left
 */
export async function act<Request extends Call>(
  text: string,
  call: () => Request,
  options: ActOptions<DataOf<Request>> = {},
): Promise<boolean> {
  const { left } = toasts;
  const { data, problem, changeId, attempt, hasAnswer } = await send(call(), options.attempt);
  // The next user must not see or undo the work of this one.
  if (toasts.left !== left) return false;
  if (!problem) {
    toasts.show({ text, changeId: options.canUndo === false ? null : changeId });
    await options.onDone?.(data as DataOf<Request>);
    return true;
  }
  if (options.onProblem?.(problem)) return false;
  const retry = hasAnswer ? {} : { retry: () => act(text, call, { ...options, attempt }) };
  toasts.show({ text: `${hasAnswer ? 'Not done' : 'Not confirmed'}: ${text}`, problem, ...retry });
  return false;
}

/** Undoes a change. The undo can be undone. */
export const undo = (changeId: string): Promise<boolean> =>
  act('Undone', () =>
    changeId.includes(',')
      ? api.rpc('undo', { change_ids: changeId.split(/,\s*/) })
      : api.rpc('undo', { change_id: changeId }),
  );
