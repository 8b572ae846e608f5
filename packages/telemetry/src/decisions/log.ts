import { hash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import {
  type Basis,
  fail,
  type IdentityWithNewAccess,
  ok,
  type Result,
  receiptRequest,
  type TimedAccessRef,
} from '@access-admin/domain';
import { Counter, type Registry } from 'prom-client';
import type { DecisionTarget } from '../configuration/parse.ts';
import { createLineSink, type LineSink, type LineTarget } from '../lines/sink.ts';
import type { Stdout } from '../lines/stdout.ts';

/** The outcome of a prediction or a check. */
export interface Decision {
  readonly kind: 'prediction' | 'check';
  readonly tenant: string;
  readonly clientId: string | null;
  /** The identity and the access that were asked about. */
  readonly request: IdentityWithNewAccess;
  /** The ids of all violated policies; null for a check without a verdict. */
  readonly violatedPolicies: readonly string[] | null;
  /** Null for a check that failed before it read data. */
  readonly basis: Basis | null;
  readonly trackingId: string | null;
  /** The id of a check; omitted for a prediction. */
  readonly requestId?: string;
}

/** Logs one line per prediction and check. */
export interface DecisionLog extends AsyncDisposable {
  /** Never blocks: up to 8 MiB of lines are buffered; beyond that, lines are dropped and counted. */
  write(decision: Decision): void;
}

export interface DecisionLogDeps {
  readonly registry: Registry;
  readonly stdout: Pick<Stdout, 'write'>;
  readonly log: Record<'info' | 'error', (fields: object, message: string) => void>;
  now(): Date;
  /** Calls the listener each time the file is to be opened anew, as after its rotation. */
  onReopen(listener: () => void): void;
}

/** Null if no decision log is configured. Fails with a message if the file cannot be opened. */
export async function openDecisionLog(
  target: DecisionTarget | null,
  { registry, stdout, log, now, onReopen }: DecisionLogDeps,
): Promise<Result<DecisionLog | null, string>> {
  if (target === null) return ok(null);
  const opened =
    target.kind === 'stdout' ? ok(sharedStdout(stdout)) : await openFile(target.path, { log, now, onReopen });
  if (!opened.ok) return opened;
  const { value: output } = opened;
  const registers = [registry];
  // Incrementing a plain number is cheaper per line than calling the counter.
  let loggedCount = 0;
  new Counter({
    name: 'access_admin_decisions_logged_total',
    help: 'Lines of the decision log.',
    registers,
    collect() {
      this.reset();
      this.inc(loggedCount);
    },
  });
  const lost = new Counter({
    name: 'access_admin_decisions_lost_total',
    help: 'Decisions that are missing in the log because it could not be written, or not fast enough.',
    registers,
  });
  const formatLine = createFormatter();
  return ok({
    write: (decision) => {
      loggedCount += 1;
      const time = now();
      // Serialized in batches, just before writing: a third of the time of serializing each line here.
      if (!output.write({ length: lengthOf(decision), toString: () => formatLine(decision, time) })) lost.inc();
    },
    [Symbol.asyncDispose]: output.close,
  });
}

type Output = Pick<LineSink, 'write' | 'close'>;

/** Closing the decision log leaves standard output open. */
const sharedStdout = (stdout: Pick<Stdout, 'write'>): Output => ({ write: stdout.write, close: async () => {} });

const lengthOf = ({ request: { accessRefs }, violatedPolicies }: Decision): number =>
  LINE_LENGTH + accessRefs.length * REF_LENGTH + (violatedPolicies?.length ?? 0) * ID_LENGTH;

/** Approximate characters of a line without access refs and policies, of an access ref, and of an id. */
const LINE_LENGTH = 400;
const REF_LENGTH = 80;
const ID_LENGTH = 40;

/** Produces what `JSON.stringify` would, but faster. */
function createFormatter(): (decision: Decision, time: Date) => string {
  let lastMs = Number.NaN;
  let lastTime = '';
  const timeOf = (time: Date): string => {
    // Many decisions share a millisecond.
    if (time.getTime() !== lastMs) {
      lastMs = time.getTime();
      lastTime = time.toISOString();
    }
    return lastTime;
  };
  return ({ kind, tenant, clientId, request, violatedPolicies, basis, trackingId, requestId }, time) => {
    const caller = `"tenant":"${tenant}","clientId":${JSON.stringify(clientId)}`;
    const question = `"identityId":${JSON.stringify(request.identityId)},"accessRefs":[${request.accessRefs.map(refText)}]`;
    const sha256 = hash('sha256', receiptRequest(request), 'hex');
    const policies = `"violatedPolicies":${JSON.stringify(violatedPolicies)}`;
    const asOf =
      basis === null
        ? '"policySetVersion":null,"asOf":null'
        : `"policySetVersion":${basis.policySetVersion},"asOf":"${basis.asOf}"`;
    const tracking = trackingId === null ? 'null' : `"${trackingId}"`;
    const check = requestId === undefined ? '' : `,"requestId":${JSON.stringify(requestId)}`;
    return `{"decision":"${kind}","time":"${timeOf(time)}",${caller},${question},"requestSha256":"${sha256}",${policies},${asOf},"trackingId":${tracking}${check}}\n`;
  };
}

function refText({ type, id, start, end }: TimedAccessRef): string {
  const from = start === null || start === undefined ? '' : `,"start":"${start}"`;
  const to = end === null || end === undefined ? '' : `,"end":"${end}"`;
  return `{"type":"${type}","id":${JSON.stringify(id)}${from}${to}}`;
}

/** `O_NONBLOCK` makes opening a pipe without a reader fail; otherwise it would block a thread that no signal can end. */
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

async function openFile(
  path: string,
  { log, now, onReopen }: Pick<DecisionLogDeps, 'log' | 'now' | 'onReopen'>,
): Promise<Result<Output, string>> {
  try {
    let file = await open(path, APPEND, 0o600);
    let isStale = false;
    onReopen(() => {
      isStale = true;
    });
    const target: LineTarget = {
      write: async (bytes) => {
        if (isStale) {
          // While it cannot be opened, lines wait as while it cannot be written.
          const next = await open(path, APPEND, 0o600);
          isStale = false;
          await file.close();
          file = next;
        }
        return (await file.write(bytes)).bytesWritten;
      },
      close: () => file.close(),
    };
    const sink = createLineSink({
      target,
      onFailure: (error, decisionsLost) =>
        log.error({ reason: reasonOf(error), decisionsLost }, 'decisions cannot be logged'),
      onRecovery: (decisionsLost) => log.info({ decisionsLost }, 'decisions are logged again'),
      now: () => now().getTime(),
    });
    return ok(sink);
  } catch (error) {
    return fail(`The file of DECISION_LOG, ${path}, cannot be opened: ${reasonOf(error)}.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'it may not be written',
  EROFS: 'its disk is read-only',
  ENOENT: 'its folder does not exist',
  EISDIR: 'it is a folder',
  ENXIO: 'it is a pipe that nobody reads',
  EPIPE: 'its reader has ended',
  EAGAIN: 'its reader is too slow',
};

/** Only the error code and its meaning: an error's message could contain logged data. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return REASONS[code] === undefined ? code : `${code}, ${REASONS[code]}`;
}
