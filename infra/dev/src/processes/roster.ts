/** Who runs now, by name. */
export interface Roster {
  /** Notes that `name` runs as `pid` now, or not at all. */
  readonly note: (name: string, pid: number | undefined) => void;
  readonly all: () => { readonly name: string; readonly pid: number }[];
}

/** An empty roster; `onChange` is called after each change of it. */
export function emptyRoster(onChange: (roster: Roster) => void): Roster {
  const running = new Map<string, number>();
  const roster: Roster = {
    note: (name, pid) => {
      if (pid === undefined) running.delete(name);
      else running.set(name, pid);
      onChange(roster);
    },
    all: () => [...running].map(([name, pid]) => ({ name, pid })),
  };
  return roster;
}
