/** The processes that run now, by name. */
export interface ProcessTable {
  /** Notes that `name` runs as `pid` now, or not at all. */
  readonly note: (name: string, pid: number | undefined) => void;
  readonly all: () => { readonly name: string; readonly pid: number }[];
}

/** Makes an empty table. `onChange` is called after each change of it. */
export function emptyProcessTable(onChange: (processTable: ProcessTable) => void): ProcessTable {
  const running = new Map<string, number>();
  const processTable: ProcessTable = {
    note: (name, pid) => {
      if (pid === undefined) running.delete(name);
      else running.set(name, pid);
      onChange(processTable);
    },
    all: () => [...running].map(([name, pid]) => ({ name, pid })),
  };
  return processTable;
}
