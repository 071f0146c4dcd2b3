/** The formats of session notes: format → the names of its sections. A free note names its own sections. */
export const noteFormats = {
  soap: ['subjective', 'objective', 'assessment', 'plan'],
  dap: ['data', 'assessment', 'plan'],
  birp: ['behavior', 'intervention', 'response', 'plan'],
  girp: ['goals', 'intervention', 'response', 'plan'],
  free: null,
} as const satisfies Readonly<Record<string, readonly string[] | null>>;

export const noteFormatNames = Object.keys(noteFormats) as readonly (keyof typeof noteFormats)[];
