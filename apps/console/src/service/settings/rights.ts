import type { Capability, CurrentSession } from '@access-admin/client';

/** The capabilities that read something of the settings or change it, any one of each list. The service decides; pages say it in advance. */
const NEEDED = {
  'auth-profiles': ['ORG_ADMIN', 'das:ui-auditor', 'HELPDESK'],
  'sign-in': ['ORG_ADMIN', 'HELPDESK'],
  'login-page': ['ORG_ADMIN'],
  clients: ['ORG_ADMIN'],
  webhooks: ['ORG_ADMIN'],
  profiles: ['ORG_ADMIN', 'das:ui-auditor'],
  simulator: ['ORG_ADMIN', 'HELPDESK'],
  change: ['ORG_ADMIN'],
} as const satisfies Record<string, readonly Capability[]>;

export type SettingRight = keyof typeof NEEDED;

/** The capabilities one of which the session lacks for a part of the settings; null where it has one. */
export function missingForSettings(
  right: SettingRight,
  { capabilities }: Pick<CurrentSession, 'capabilities'>,
): readonly Capability[] | null {
  const needed: readonly Capability[] = NEEDED[right];
  return needed.some((each) => capabilities.includes(each)) ? null : needed;
}
