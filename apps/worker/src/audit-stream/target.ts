import { fail, ok, type Result } from '@access-admin/domain';

/** Where audit events are written. */
export type AuditStreamTarget =
  | { readonly kind: 'stdout' }
  | { readonly kind: 'file'; readonly path: string }
  | {
      readonly kind: 'syslog';
      readonly transport: 'udp' | 'tcp' | 'tls';
      readonly host: string;
      readonly port: number;
    };

export const AUDIT_STREAM_RULE =
  'stdout, file:<path>, or syslog+udp://host:port, syslog+tcp://host:port or syslog+tls://host:port';

const SYSLOG = /^syslog\+(?<transport>udp|tcp|tls):\/\/(?<host>\[[0-9a-fA-F:.]+\]|[^/:@?#[\]]+):(?<port>\d{1,5})\/?$/;
const TRANSPORTS = ['udp', 'tcp', 'tls'] as const;

/** Parses the value of `AUDIT_STREAM`. */
export function parseAuditStream(text: string): Result<AuditStreamTarget, null> {
  if (text === 'stdout') return ok({ kind: 'stdout' });
  if (text.startsWith('file:') && text.length > 'file:'.length)
    return ok({ kind: 'file', path: text.slice('file:'.length) });
  const { transport: named, host, port } = SYSLOG.exec(text)?.groups ?? {};
  const transport = TRANSPORTS.find((one) => one === named);
  const number = Number(port);
  if (transport === undefined || host === undefined || number < 1 || number > 65_535) return fail(null);
  return ok({ kind: 'syslog', transport, host: host.replace(/^\[|\]$/g, ''), port: number });
}
