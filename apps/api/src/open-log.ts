import { destination, type Logger, pino } from 'pino';

/** One JSON line an event, on standard output. Lines are gathered for a tenth of a second: a write for each costs more than the line. */
export function openLog(level: string): Logger {
  const stream = destination({ dest: 1, sync: true, minLength: 8192, periodicFlush: 100 });
  // pino itself flushes only what it writes asynchronously.
  process.on('exit', () => stream.flushSync());
  return pino({ level, base: null }, stream);
}
