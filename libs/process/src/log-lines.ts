// Collects log lines before they are written. Collecting strings would grow one long string, which V8 flattens again and again and
// soon moves to the old generation, where garbage is expensive to collect. Bytes in our own buffer cost only one copy.

/**
 * A destination for the lines of pino.
 * @param size the number of bytes that are collected before they are delivered
 * @param deliver gets whole lines, at least `size` bytes unless flushed; it may keep the buffer
 */
export function gatherLines(size: number, deliver: (lines: Buffer) => void) {
  const gathered = Buffer.allocUnsafeSlow(2 * size);
  let used = 0;

  /** Delivers the collected lines. */
  function flush(): void {
    if (used === 0) return;
    deliver(Buffer.from(gathered.subarray(0, used)));
    used = 0;
  }
  function write(line: string): void {
    // UTF-8 takes at most three bytes for each UTF-16 code unit of a string.
    const most = 3 * line.length;
    if (used + most > gathered.length) flush();
    if (most > gathered.length) return deliver(Buffer.from(line));
    used += gathered.write(line, used);
    if (used >= size) flush();
  }
  return { write, flush };
}
