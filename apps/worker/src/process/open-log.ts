import { describeError } from '@access-admin/domain';
import { destination, type Logger, pino, stdTimeFunctions } from 'pino';

/** The log of the process: one JSON line an event on standard output. */
export const openLog = (level: string): Logger =>
  pino(
    {
      level,
      base: { process: 'worker' },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    destination({ dest: 1, sync: true }),
  );
