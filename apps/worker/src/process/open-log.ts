import { describeError } from '@access-admin/domain';
import type { Stdout } from '@access-admin/telemetry';
import { type Logger, pino, stdTimeFunctions } from 'pino';

/** The log of the process: one JSON line an event on standard output. */
export const openLog = (level: string, stdout: Pick<Stdout, 'write'>, process = 'worker'): Logger =>
  pino(
    {
      level,
      base: { process },
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    stdout,
  );
