import { describeError } from '@access-admin/domain';
import { destination, pino, stdTimeFunctions } from 'pino';

import type { RequestLine, RequestLog } from './request-log.ts';

/** The log of the process. */
export interface Log extends RequestLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Writes one JSON line an event to standard output. Lines are collected for a tenth of a second: a write costs more than a line. */
export function openLog(level: string): Log {
  const output = destination({ dest: 1, sync: true });
  let gathered = '';
  const flush = () => {
    if (gathered === '') return;
    const text = gathered;
    gathered = '';
    output.write(text);
  };
  const write = (line: string) => {
    gathered += line;
    if (gathered.length >= GATHERED_LENGTH_MAX) flush();
  };
  setInterval(flush, GATHER_MS).unref();
  process.on('exit', flush);
  const logger = pino({ level, ...LINE_FORM, serializers: { err: describeError } }, { write });
  return {
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    request: (line) => logger.info(fieldsOf(line), 'request'),
  };
}

/** What every line has, besides its level. */
const LINE_FORM = { base: { process: 'api' }, timestamp: stdTimeFunctions.isoTime };
const GATHER_MS = 100;
const GATHERED_LENGTH_MAX = 8192;

function fieldsOf({ state, method, status, durationMs }: RequestLine): object {
  const { trackingId, operationId, caller, refusal } = state;
  return {
    trackingId,
    method,
    operation: operationId,
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    tenant: caller?.tenant,
    clientId: caller?.clientId,
    identityId: caller?.identityId ?? undefined,
    detailCode: refusal?.detailCode,
    reason: refusal?.reason ?? undefined,
  };
}
