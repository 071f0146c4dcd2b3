import { Failure } from '@practice/operator';

/** The parts that servers beside the product need. */
export interface Means {
  /** An own folder. */
  readonly folder: string;
  /** Prints something that was measured or happened. */
  readonly note: (line: string) => void;
  /** Is done at the end, in reverse order, however it ends. */
  readonly atEnd: (undo: () => Promise<unknown>) => void;
}

/** This machine lacks a program that a drill needs. */
export class Missing extends Failure {}

/** Means in a folder that exists. @returns also `end`, which undoes everything; an undo that fails stops no other */
export function openMeans(
  folder: string,
  note: Means['note'],
): Means & { readonly end: () => Promise<void> } {
  const undos: (() => Promise<unknown>)[] = [];
  return {
    folder,
    note,
    atEnd: (undo) => void undos.push(undo),
    end: async () => {
      for (const undo of undos.splice(0).reverse()) await undo().catch(() => undefined);
    },
  };
}
