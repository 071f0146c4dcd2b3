/** The bytes of a stream in parts of one size, except the last one. */
export async function* partsOf(stream: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < size) continue;
    const bytes = Buffer.concat(waiting);
    const whole = length - (length % size);
    for (let at = 0; at < whole; at += size) yield bytes.subarray(at, at + size);
    waiting = [bytes.subarray(whole)];
    length -= whole;
  }
  if (length > 0) yield Buffer.concat(waiting);
}
