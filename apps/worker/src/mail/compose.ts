import { exceptionStateAt } from '@access-admin/domain';
import type { MailClaim, SecretCipher, Store } from '@access-admin/store';
import type { MailText } from './texts.ts';
import type { Line, MailContent } from './write.ts';

/** What mails read when they are sent. */
export interface ComposeDeps extends Pick<Store, 'exceptions' | 'policies' | 'authUsers'> {
  readonly cipher: Pick<SecretCipher, 'open'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What a mail tells, with links that begin at `address`; null where there is nothing to tell any more. */
export function composeMail(
  deps: ComposeDeps,
  claim: MailClaim,
  address: string,
): MailContent | null | Promise<MailContent | null> {
  if (claim.kind === 'sign-in-link') return composeLink(deps, claim);
  if (claim.kind === 'factor-added') return composeFactor(claim, address);
  if (claim.kind === 'violations-weekly') return composeWeek(claim, address);
  return composeException(deps, claim, address);
}

function composeLink({ cipher }: ComposeDeps, { tenant, recipientId, secret, data }: MailClaim): MailContent | null {
  const owner = { purpose: 'mail', tenant, id: recipientId ?? '' } as const;
  const url = secret === null ? null : cipher.open(owner, secret);
  if (url === null) return null;
  return {
    subject: 'sign-in-link.subject',
    lines: [['sign-in-link.text', { time: new Date(Number(data['expiresMs'])) }], ['sign-in-link.warning']],
    action: 'sign-in-link.action',
    url: Buffer.from(url).toString('utf8'),
  };
}

const FACTORS: Readonly<Record<string, MailText>> = {
  PASSWORD: 'factor.PASSWORD',
  TOTP: 'factor.TOTP',
  PASSKEY: 'factor.PASSKEY',
  RECOVERY_CODE: 'factor.RECOVERY_CODE',
};

function composeFactor({ data, created }: MailClaim, address: string): MailContent | null {
  const text = FACTORS[String(data['factor'])];
  if (text === undefined) return null;
  return {
    subject: 'factor.subject',
    lines: [[text, { time: new Date(created), name: data['name'] ?? '' }], ['factor.warning']],
    action: 'factor.action',
    url: `${address}/account`,
  };
}

const LEVELS = [
  ['Critical', 'level.CRITICAL'],
  ['High', 'level.HIGH'],
  ['Medium', 'level.MEDIUM'],
  ['Low', 'level.LOW'],
] as const;

function composeWeek({ data }: MailClaim, address: string): MailContent {
  const counts = LEVELS.map(([level, text]) => [text, { count: Number(data[level] ?? 0) }] as const);
  const count = counts.reduce((sum, [, each]) => sum + each.count, 0);
  return {
    subject: 'weekly.subject',
    lines: [['weekly.text', { count }], ...counts.filter(([, each]) => each.count > 0)],
    action: 'weekly.action',
    url: `${address}/console/violations`,
  };
}

async function composeException(
  { exceptions, policies, authUsers, now }: ComposeDeps,
  { tenant, kind, data }: MailClaim,
  address: string,
): Promise<MailContent | null> {
  const time = new Date(now()).toISOString();
  const found = await exceptions.find(tenant, String(data['exceptionId']), time);
  if (found === null) return null;
  const { exception } = found;
  // A later decision has overtaken this one. Mails of earlier versions have no number.
  if (Number(data['decisions'] ?? exception.decisions.length) < exception.decisions.length) return null;
  const told = toldOf(kind, exceptionStateAt(exception, time), exception.decisions.at(-1)?.action);
  if (told === null) return null;
  const nameOf = async (id: string) => (await authUsers.find(tenant, id))?.displayName ?? id;
  const names = {
    requester: await nameOf(exception.requesterId),
    person: await nameOf(exception.identityId),
    policy: (await policies.find(tenant, exception.policyId))?.name ?? exception.policyId,
  };
  const comment = kind === 'exception-decided' ? (exception.decisions.at(-1)?.comment ?? null) : null;
  const lines: Line[] = [
    [`${told}.text`, names],
    ['exception.window', { start: new Date(exception.start), end: new Date(exception.end) }],
    ['exception.justification', { justification: exception.justification }],
    ...(comment === null ? [] : [['exception.comment', { comment }] as const]),
  ];
  const url = `${address}/console/exceptions?open=${encodeURIComponent(exception.id)}`;
  return { subject: `${told}.subject`, lines, action: 'exception.action', url };
}

/** The prefix of the texts for an exception in its present state; null where the occasion of the mail has passed. */
function toldOf(kind: MailClaim['kind'], state: string, action: string | undefined) {
  if (kind === 'exception-requested') return state === 'REQUESTED' ? 'requested' : null;
  if (kind === 'exception-ending') return state === 'APPROVED' ? 'ending' : null;
  if (state === 'APPROVED') return 'approved';
  if (state !== 'REVOKED') return null;
  return action === 'REFUSED' ? 'refused' : 'revoked';
}
