/** Makes an empty table of the processes that run now, by name. `onChange` is called with all of them after each change. */
export function emptyProcessTable(onChange: (all: { name: string; pid: number }[]) => void) {
  const running = new Map<string, number>();
  const all = () => [...running].map(([name, pid]) => ({ name, pid }));
  return {
    all,
    /** Notes that `name` runs as `pid` now, or not at all. */
    note: (name: string, pid: number | undefined): void => {
      if (pid === undefined) running.delete(name);
      else running.set(name, pid);
      onChange(all());
    },
  };
}

export type ProcessTable = ReturnType<typeof emptyProcessTable>;
