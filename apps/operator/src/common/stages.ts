// Progress output: one line per finished stage, with its time.

export interface Stages {
  /** Runs a stage and prints its line at the end; `note` adds a remark about the result. */
  readonly run: <T>(title: string, work: () => Promise<T>, note?: (result: T) => string) => Promise<T>;
  /** Prints a line that belongs to no stage. */
  readonly say: (line: string) => void;
}

/** Stages printed by `print`. Without it, nothing is printed. */
export function stagesShownBy(print: (line: string) => void = () => undefined): Stages {
  return {
    say: print,
    run: async (title, work, note) => {
      const began = performance.now();
      const result = await work();
      const remark = note?.(result);
      print(stageLine(remark ? `${title} (${remark})` : title, performance.now() - began));
      return result;
    },
  };
}

function stageLine(title: string, milliseconds: number): string {
  return `  ${title.padEnd(70)} ${(milliseconds / 1000).toFixed(1).padStart(6)} s`;
}
