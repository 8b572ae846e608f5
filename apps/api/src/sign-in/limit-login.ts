import { LOGIN_WINDOW_SECONDS, LOGINS_OF_ADDRESS_MAX, LOGINS_OF_USERNAME_MAX } from '@access-admin/contract';
import { foldUid } from '@access-admin/domain';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { ClientAddress } from '../http/client-address.ts';
import type { TooManyRequests } from '../http/problem.ts';
import type { PageContext } from './pages/context.ts';

/** Counts an attempt to log in; the refusal where its address or its username has made too many, else null. */
export type LimitLogin = (c: PageContext) => Promise<TooManyRequests | null>;

/** `isOn` is false where the operator has turned limits of requests off. */
export function createLimitLogin(addressOf: ClientAddress, isOn: boolean): LimitLogin {
  const byAddress = new RateLimiterMemory({ points: LOGINS_OF_ADDRESS_MAX, duration: LOGIN_WINDOW_SECONDS });
  const byUsername = new RateLimiterMemory({ points: LOGINS_OF_USERNAME_MAX, duration: LOGIN_WINDOW_SECONDS });
  return async (c) => {
    if (!isOn) return null;
    try {
      // First the address: one that may make no attempt adds no usernames to memory either.
      await byAddress.consume(addressOf(c));
      await byUsername.consume(
        `${c.get('tenant')} ${foldUid(c.get('form')('username')).slice(0, USERNAME_LENGTH_MAX)}`,
      );
      return null;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      return { type: 'TooManyRequests', causes: [], retryAfterSeconds };
    }
  };
}

const USERNAME_LENGTH_MAX = 256;
