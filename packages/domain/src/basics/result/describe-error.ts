/** The parts of an error that may be logged. */
export interface ErrorDescription {
  readonly type: string;
  /** Without quoted text and URLs. */
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly cause?: ErrorDescription;
}

const CAUSES_DEPTH_MAX = 4;
/** Properties with names of what went wrong; others may have data. */
const NAMED = ['code', 'constraint', 'table'] as const;

/**
 * Describes an error for a log: its type and stack, not the data in it. Databases and parsers quote the values that they
 * refuse, in messages and in properties such as `detail`; any of these may be a secret or personal data.
 */
export const describeError = (error: unknown): ErrorDescription => describe(error, CAUSES_DEPTH_MAX);

function describe(error: unknown, depth: number): ErrorDescription {
  // Any other thrown value may be data.
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  const named: { code?: string; constraint?: string; table?: string } = {};
  for (const name of NAMED) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string' && /^\w{1,63}$/.test(value)) named[name] = value;
  }
  return {
    type: error.name,
    message: withoutData(error.message),
    stack: framesOf(error),
    ...named,
    ...(error.cause === undefined || depth === 0 ? {} : { cause: describe(error.cause, depth - 1) }),
  };
}

/** Removes the text from the first quote to the last one, since quoted text may have quotes itself, and URLs. */
const withoutData = (message: string): string =>
  message.replace(/(?<!\w)["'`“‘](?:[\s\S]*["'`”’]|[\s\S]*$)/, '…').replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/\S*/gi, '…');

/** The frames of a stack without the message that it begins with. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at .*(:\d+:\d+\)?|<anonymous>\)?)$/.test(line))
    .join('\n');
