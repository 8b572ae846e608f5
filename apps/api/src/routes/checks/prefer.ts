import { PREFER_WAIT_SECONDS_MAX } from '@access-admin/contract';

/** The seconds of `wait` in a `Prefer` header (RFC 7240), at most 30; 0 without one or if it is malformed. */
export function parsePreferWait(header: string | undefined): number {
  const wait = header
    ?.split(',')
    .map((preference) => /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;.*)?$/i.exec(preference)?.[1])
    .find((seconds) => seconds !== undefined);
  return wait === undefined ? 0 : Math.min(Number(wait), PREFER_WAIT_SECONDS_MAX);
}
