import type { AuthUser } from '@access-admin/client';

/** The sign-ins of a person that are known, in milliseconds since 1970, the latest first. An import may set `lastLoginTimestamp` alone. */
export const signInsOf = ({
  currentLoginTimestamp,
  lastLoginTimestamp,
}: Pick<AuthUser, 'currentLoginTimestamp' | 'lastLoginTimestamp'>): readonly number[] =>
  [currentLoginTimestamp, lastLoginTimestamp].filter((time) => time !== null);
