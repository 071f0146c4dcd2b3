// Server-sent events, as a reader of a stream receives them (https://html.spec.whatwg.org/multipage/server-sent-events.html).

/** One message. Comments have neither an id nor data. */
export interface Message {
  readonly id: string | undefined;
  readonly data: string | undefined;
}

/** The messages of a body, as they arrive. A message that is cut off is left out. */
export async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const text = new TextDecoder();
  let rest = '';
  for await (const part of body) {
    const blocks = (rest + text.decode(part, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks)
      yield { id: /^id: ?(.*)$/m.exec(block)?.[1], data: /^data: ?(.*)$/m.exec(block)?.[1] };
  }
}
