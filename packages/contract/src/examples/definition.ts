import type { OperationId } from '@access-admin/domain';

/** A request that works with the sample, and the answer of a real server to it. NDJSON is an array of its lines. */
export interface OperationExample {
  /** Values of path parameters. Ids that only an earlier answer has are left out. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly request?: unknown;
  /** Left out where the answer has no body. NDJSON: its first lines. */
  readonly response?: unknown;
}

/** Examples by operation id. */
export type OperationExamples = Readonly<Partial<Record<OperationId, OperationExample>>>;
