import type { AuditEvent } from '@access-admin/domain';
import type { AuditStreamClaim } from '@access-admin/store';
import type { LeasedWork } from '../leased/loop.ts';
import { toOcsf } from './ocsf.ts';
import { openAuditSink } from './sink.ts';
import type { AuditStreamTarget } from './target.ts';
import { type AuditStreamDeps, createAuditStreamWork } from './work.ts';

/** The streams of audit logs to a target. */
export interface OpenAuditStream {
  readonly work: LeasedWork<AuditStreamClaim>;
  close(): Promise<void>;
}

interface OpenAuditStreamDeps extends Omit<AuditStreamDeps, 'sink' | 'formatEvent'> {
  readonly target: AuditStreamTarget;
  /** `json` is the event as `GET /audit-events/v1` returns it. */
  readonly format: 'json' | 'ocsf';
  /** Calls the listener each time the file is to be opened anew. */
  onReopen(listener: () => void): void;
}

export function openAuditStream({ target, format, onReopen, ...deps }: OpenAuditStreamDeps): OpenAuditStream {
  const onTooLarge = ({ tenant, sequence }: AuditEvent) =>
    deps.log.error({ tenant, sequence }, 'an audit event is too large for a datagram, and is left out');
  const sink = openAuditSink(target, { onReopen, onTooLarge });
  const formatEvent = (event: AuditEvent) => JSON.stringify(format === 'ocsf' ? toOcsf(event) : event);
  return { work: createAuditStreamWork({ ...deps, sink, formatEvent }), close: sink.close };
}
