/** What of an error may be written down. */
export interface ErrorDescription {
  readonly type: string;
  /** Without what it quotes, and without addresses. */
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly cause?: ErrorDescription;
}

const CAUSES_DEPTH_MAX = 4;
/** Names of what went wrong, never the data with which it did. */
const NAMED = ['code', 'constraint', 'table'] as const;

/**
 * Describes an error for a log: what it is and where it arose, not the data in it. Databases and parsers quote the values
 * that they refuse, in messages and in properties such as `detail`; any of them may be a secret or say something of a person.
 */
export const describeError = (error: unknown): ErrorDescription => describe(error, CAUSES_DEPTH_MAX);

function describe(error: unknown, depth: number): ErrorDescription {
  // Whatever else is thrown may be a value.
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

/** From the first quote on up to the last one: what is quoted may hold quotes itself. */
const withoutData = (message: string): string =>
  message.replace(/(?<!\w)["'`“‘](?:[\s\S]*["'`”’]|[\s\S]*$)/, '…').replaceAll(/\b[a-z][a-z0-9+.-]*:\/\/\S*/gi, '…');

/** The places alone: a stack begins with the message. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at .*(:\d+:\d+\)?|<anonymous>\)?)$/.test(line))
    .join('\n');
