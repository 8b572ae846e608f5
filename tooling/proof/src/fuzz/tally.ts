import { summed } from '../campaign/campaign.ts';
import type { ApiOperation } from '../http/api-document.ts';
import type { Answer } from '../http/read-answer.ts';
import { isOfParser } from '../http/verify-refusal.ts';
import type { DrawnRequest } from './draw-request.ts';

export interface Verified {
  readonly faults: readonly string[];
  readonly operation: ApiOperation | null;
}

/** Of this many answers, one is searched for in the log. */
const SAMPLE = 50;
const KINDS_MAX = 20;

export type Tally = ReturnType<typeof createTally>;

/** Statistics of all requests so far. */
export function createTally() {
  const counts = {
    requests: 0,
    '2xx': 0,
    '4xx': 0,
    '5xx': 0,
    'refused by the parser': 0,
    'without an answer': 0,
    'leaked canaries': 0,
  };
  /** Whether an operation that was reached has succeeded. */
  const operations = new Map<string, boolean>();
  const trackingIds: string[] = [];
  const found = new Map<string, string[]>();
  /** Records a failure and its place; null records nothing. */
  const note = (fault: string | null, where: string) => {
    if (fault === null) return;
    const places = found.get(fault) ?? [];
    places.push(where);
    found.set(fault, places);
  };
  return {
    add: (request: DrawnRequest, answer: Answer | null, { faults, operation }: Verified) => {
      counts.requests++;
      counts[classOf(answer)]++;
      const id = answer?.headers.get('x-request-id');
      if (id !== undefined && counts.requests % SAMPLE === 0) trackingIds.push(id);
      if (operation !== null) {
        const name = `${operation.method} ${operation.path}`;
        operations.set(name, operations.get(name) === true || classOf(answer) === '2xx');
      }
      for (const fault of faults) {
        if (fault.endsWith('leaks a canary')) counts['leaked canaries']++;
        note(fault, describeExchange(request, answer));
      }
    },
    note,
    requests: () => counts.requests,
    faults: () => [...found.values()].flat().length,
    trackingIds: () => trackingIds,
    counts: () => {
      const never = [...operations].filter(([, succeeded]) => !succeeded).map(([name]) => name);
      const text = never.length === 0 ? '' : ` (never ${never.join(' and ')})`;
      return { ...counts, 'operations that succeeded': `${operations.size - never.length}${text}` };
    },
    broken: () => [...found].slice(0, KINDS_MAX).flatMap(([fault, places]) => summed(fault, places)),
  };
}

function classOf(answer: Answer | null) {
  if (answer === null) return 'without an answer';
  if (isOfParser(answer)) return 'refused by the parser';
  if (answer.status >= 500) return '5xx';
  return answer.status < 300 ? '2xx' : '4xx';
}

const SHOWN = 300;

/** A request without its token, and its answer. */
export function describeExchange(
  { method, target, headers, body, caller }: DrawnRequest,
  answer: Answer | null,
): string {
  const shown = headers
    .filter(([name]) => name !== 'Authorization')
    .map(([name, value]) => `${name}: ${value.slice(0, 60)}`);
  const given = answer === null ? 'nothing' : `${answer.status} ${answer.body.toString().slice(0, SHOWN)}`;
  return JSON.stringify(
    `${caller.name}: ${method} ${target.slice(0, 120)} (${shown.join(', ')}) ${body?.slice(0, SHOWN) ?? ''} => ${given}`,
  );
}
