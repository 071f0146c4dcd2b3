// Signals to a process and to all processes that it has started.
import { allPids, statOf } from '@practice/operator';

/** Sends a signal to a process and its descendants. @returns a function that resumes them after SIGSTOP */
export function signalTree(pid: number, signal: NodeJS.Signals): () => void {
  const all = [pid, ...descendantsOf(pid)];
  all.forEach((one) => sendSignal(one, signal));
  return () => all.forEach((one) => sendSignal(one, 'SIGCONT'));
}

/** The descendants of a process: Postgres has one for each connection. Without /proc, none are found. */
function descendantsOf(pid: number): number[] {
  if (process.platform !== 'linux') return [];
  const parents = allPids().map((one) => ({ pid: one, parent: Number(statOf(one)?.[1]) }));
  const childrenOf = (parent: number): number[] =>
    parents.filter((one) => one.parent === parent).flatMap((one) => [one.pid, ...childrenOf(one.pid)]);
  return childrenOf(pid);
}

/** A process that is gone needs no signal. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    return;
  }
}
