// What a person sees while something starts: one line for each stage that ended, with its time.

export interface Stages {
  /** Runs a stage and shows it once it is done; `note` adds what came out of it. */
  readonly run: <T>(title: string, work: () => Promise<T>, note?: (result: T) => string) => Promise<T>;
  /** Shows a line that belongs to no stage. */
  readonly say: (line: string) => void;
}

/** Stages shown by `print`; nothing is shown without one. */
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
