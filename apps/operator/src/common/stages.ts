// Progress output: one line per finished stage, with its time.

/** Stages printed by `print`. Without it, nothing is printed. */
export function stagesShownBy(print: (line: string) => void = () => undefined) {
  return {
    /** Prints a line that belongs to no stage. */
    say: print,
    /** Runs a stage and prints its line at the end; `note` adds a remark about the result. */
    run: async <T>(title: string, work: () => Promise<T>, note?: (result: T) => string): Promise<T> => {
      const began = performance.now();
      const result = await work();
      const remark = note?.(result);
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      print(`  ${(remark ? `${title} (${remark})` : title).padEnd(70)} ${seconds.padStart(6)} s`);
      return result;
    },
  };
}

export type Stages = ReturnType<typeof stagesShownBy>;
