// The header and field `traceparent` of W3C Trace Context: `00-<trace id>-<span id>-<flags>`.

const FORM = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** The `traceparent` that a caller has sent; undefined if it is missing or not valid. */
export function traceparentOf(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && FORM.test(given) ? given : undefined;
}

/** The trace id in a valid `traceparent`, for logs; undefined without a `traceparent`. */
export const traceIdOf = (traceparent: string | undefined): string | undefined => traceparent?.slice(3, 35);
