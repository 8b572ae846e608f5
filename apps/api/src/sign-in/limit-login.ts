import { LOGIN_WINDOW_SECONDS, LOGINS_OF_ADDRESS_MAX, LOGINS_OF_USERNAME_MAX } from '@access-admin/contract';
import { foldUid } from '@access-admin/domain';
import type { ClientAddress } from '../http/client-address.ts';
import type { TooManyRequests } from '../http/problem.ts';
import { createRequestCounter } from '../middleware/limit-rate.ts';
import type { PageContext } from './pages/context.ts';

/** Counts an attempt to log in; the refusal where its address or its username has made too many, else null. */
export type LimitLogin = (c: PageContext) => TooManyRequests | null;

/** `isOn` is false where the operator has turned limits of requests off. */
export function createLimitLogin(clientAddress: ClientAddress, isOn: boolean): LimitLogin {
  const counter = (requests: number) =>
    createRequestCounter(isOn ? { requests, windowSeconds: LOGIN_WINDOW_SECONDS } : null);
  const byAddress = counter(LOGINS_OF_ADDRESS_MAX);
  const byUsername = counter(LOGINS_OF_USERNAME_MAX);
  return (c) => {
    const username = foldUid(c.get('form')('username')).slice(0, USERNAME_LENGTH_MAX);
    // First the address: one that may make no attempt adds no usernames to memory either.
    const refused =
      byAddress?.({ tenant: '', clientId: clientAddress(c) }) ??
      byUsername?.({ tenant: c.get('tenant'), clientId: username }) ??
      null;
    return refused === null ? null : { ...refused, causes: [] };
  };
}

const USERNAME_LENGTH_MAX = 256;
