import { Failure } from '@practice/operator';

/** The means with which servers beside the product are started. */
export interface Means {
  /** The folder for their files. */
  readonly folder: string;
  /** Prints a measurement or an occurrence. */
  readonly note: (line: string) => void;
  /** Registers a step for the end. The steps run in reverse order, also after an error. */
  readonly atEnd: (undo: () => Promise<unknown>) => void;
}

/** This machine lacks a program that a drill needs. */
export class Missing extends Failure {}

/** Opens means in an existing folder. @returns also `end`, which runs all registered steps, even if one of them fails */
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
