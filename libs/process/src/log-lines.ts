// Where log lines gather before they are written. A writer that gathers strings grows one long string, which V8 flattens
// again and again and soon moves to where garbage is dear to collect; bytes in a buffer of our own cost a copy, once.

/** Takes lines as pino makes them. */
export interface LogLines {
  write(line: string): void;
  /** Hands over what has gathered. */
  flush(): void;
}

/**
 * @param size bytes that gather before they are handed over
 * @param deliver given whole lines, at least `size` bytes of them unless flushed; the bytes are its own
 */
export function gatherLines(size: number, deliver: (lines: Buffer) => void): LogLines {
  const gathered = Buffer.allocUnsafeSlow(2 * size);
  let used = 0;

  function flush(): void {
    if (used === 0) return;
    deliver(Buffer.from(gathered.subarray(0, used)));
    used = 0;
  }
  function write(line: string): void {
    // UTF-8 takes at most three bytes for each unit of a string.
    const most = 3 * line.length;
    if (used + most > gathered.length) flush();
    if (most > gathered.length) return deliver(Buffer.from(line));
    used += gathered.write(line, used);
    if (used >= size) flush();
  }
  return { write, flush };
}
