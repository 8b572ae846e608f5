import { createSignInGuard, createSignInGuardAnywhere, type SignInAsker, type SignInGuard } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';
import { findApplication, type SignInApplication } from './factors/applications.ts';
import type { OriginOf } from './origin.ts';

/** A request that asks for a change. */
interface Asking {
  readonly caller: { readonly tenant: string };
  readonly c: RequestContext;
}

/** The guard of a change that a request asks for. */
export type GuardOf = (request: Asking) => SignInGuard;

/** From where a request asks, and which applications verify users of its tenant. */
export type AskerOf = (request: Asking) => SignInAsker;

export const createAskerOf =
  (originOf: OriginOf, applications: readonly SignInApplication[]): AskerOf =>
  ({ caller: { tenant }, c }) => ({
    ...originOf(c),
    isApplicationKnown: (id) => findApplication(applications, tenant, id) !== null,
  });

/** Administrators must be able to sign in from where the request comes. */
export const createGuardOf =
  (askerOf: AskerOf): GuardOf =>
  (request) =>
    createSignInGuard(askerOf(request));

/** The guard of what a directory asks for: its address says nothing of where people sign in. */
export const createDirectoryGuardOf =
  (askerOf: AskerOf): GuardOf =>
  (request) =>
    createSignInGuardAnywhere(askerOf(request));
