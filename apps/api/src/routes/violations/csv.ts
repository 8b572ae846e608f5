import type { SodViolation } from '@access-admin/domain';

const CHUNK_LENGTH = 65_536;

/** The columns of an export as CSV, in their order. */
const COLUMNS: Readonly<Record<string, (violation: SodViolation) => string | null | undefined>> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  status: ({ status }) => status,
  level: ({ level }) => level,
  created: ({ created }) => created,
  modified: ({ modified }) => modified,
  closed: ({ closed }) => closed,
  lastEvaluatedDate: ({ lastEvaluatedDate }) => lastEvaluatedDate,
  targetId: ({ target }) => target.id,
  targetName: ({ target }) => target.name,
  policyId: ({ policy }) => policy.id,
  policyName: ({ policy }) => policy.name,
  ownerId: ({ owner }) => owner?.id,
  ownerName: ({ owner }) => owner?.name,
  conflictingCriteria: ({ conflictingCriteria }) => JSON.stringify(conflictingCriteria),
  exceptionId: ({ exception }) => exception?.id,
  appliedControls: ({ appliedControls }) => JSON.stringify(appliedControls),
  expiration: ({ expiration }) => expiration,
};

/** Violations as CSV (RFC 4180) with a header line, in chunks; lists are JSON, and null is empty. */
export async function* csvOf(violations: AsyncIterable<SodViolation>): AsyncGenerator<string> {
  const columns = Object.values(COLUMNS);
  let chunk = `${Object.keys(COLUMNS).join()}\r\n`;
  for await (const violation of violations) {
    chunk += `${columns.map((column) => quote(column(violation) ?? '')).join()}\r\n`;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Whether `Accept` rates CSV higher than JSON lines (RFC 9110). */
export function acceptsCsv(accept: string | null): boolean {
  const qualityOf = (wanted: string): number => {
    for (const range of accept?.split(',') ?? []) {
      const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      if (type === wanted) return Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    }
    return 0;
  };
  return qualityOf('text/csv') > qualityOf('application/x-ndjson');
}
