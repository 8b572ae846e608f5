import { destination, type Logger, pino } from 'pino';

/** One JSON line an event, on standard output. Lines are gathered: a write for each costs more than the line. What is left is written at exit. */
export const openLog = (level: string): Logger =>
  pino({ level, base: null }, destination({ dest: 1, sync: true, minLength: 4096, periodicFlush: 100 }));
