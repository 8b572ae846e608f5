import { lockoutPatch, networkPatch, SIGN_IN, sessionPatch } from '@access-admin/contract';
import {
  type Failure,
  fail,
  failure,
  hasCompatibilityForms,
  ok,
  type Result,
  type SignInSettings,
  validateSessionTimes,
} from '@access-admin/domain';
import { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import type { Answer } from '../http/answer.ts';
import { auditContext } from '../http/audit-context.ts';
import { callerOf } from '../http/caller.ts';
import type { ApiFailure } from '../http/problem.ts';
import { type Input, route } from '../operations/route.ts';
import { ifMatch, withEtag } from './answers/resource.ts';
import { answerDryRun } from './sign-in-settings/dry-run.ts';

/** The settings of sign-in, and what they decide. */
export const signInSettings = () =>
  new Hono<ApiEnv>()
    .on(...route(SIGN_IN.getLockoutConfig, (c) => read(c, 'lockout')))
    .on(
      ...route(SIGN_IN.patchLockoutConfig, (c, { body }) =>
        change(c, 'lockout', (before) => lockoutPatch.apply(before, body)),
      ),
    )
    .on(...route(SIGN_IN.getSessionConfig, (c) => read(c, 'session')))
    .on(
      ...route(SIGN_IN.patchSessionConfig, (c, { body }) =>
        change(c, 'session', (before) => {
          const after = sessionPatch.apply(before, body);
          const unfit = after.ok ? validateSessionTimes(after.value) : null;
          return unfit === null ? after : fail(unfit);
        }),
      ),
    )
    .on(...route(SIGN_IN.getNetworkConfig, (c) => read(c, 'network')))
    .on(...route(SIGN_IN.setNetworkConfig, (c, { body }) => change(c, 'network', () => ok(body))))
    .on(
      ...route(SIGN_IN.patchNetworkConfig, (c, input) =>
        input.query.dryRun
          ? tryNetworkPatch(c, input)
          : change(c, 'network', (before) => networkPatch.apply(before, input.body)),
      ),
    )
    .on(...route(SIGN_IN.decide, decideSignIn));

async function read(c: RequestContext, name: keyof SignInSettings): Promise<Answer> {
  return withEtag(c, (await c.env.services.store.signInSettings.readLatest(callerOf(c).tenant))[name]);
}

async function change<K extends keyof SignInSettings>(
  c: RequestContext,
  name: K,
  decide: (before: SignInSettings[K]) => Result<SignInSettings[K], Failure>,
): Promise<Answer> {
  const { store, guardOf } = c.env.services;
  const changed = await store.signInSettings.change<K, Failure, ApiFailure>(auditContext(c), name, {
    precondition: ifMatch(c),
    decide,
    guard: guardOf({ c, caller: callerOf(c) }),
  });
  return changed.ok ? withEtag(c, changed.value) : changed;
}

/** Answers what a patch would do, under the conditions that it would be refused for. */
async function tryNetworkPatch(
  c: RequestContext,
  { caller, query, body }: Input<typeof SIGN_IN.patchNetworkConfig>,
): Promise<Answer> {
  const { network: before } = await c.env.services.store.signInSettings.readLatest(caller.tenant);
  const met = ifMatch(c)(before);
  if (!met.ok) return met;
  const after = networkPatch.apply(before, body);
  if (!after.ok) return after;
  return answerDryRun(c, {
    profileId: null,
    isForbidden: false,
    profileAfter: (profile) => profile,
    network: { before, after: after.value },
    origin: query,
  });
}

/** Answers whether a person may sign in, and why. */
async function decideSignIn(
  c: RequestContext,
  { caller: { tenant }, body }: Input<typeof SIGN_IN.decide>,
): Promise<Answer> {
  const { store, config, decide } = c.env.services;
  const { identityId, username, ip, country, at } = body;
  const identity = await (identityId === undefined
    ? store.credentials.findByUsername(tenant, username ?? '')
    : store.credentials.findIdentity(tenant, identityId));
  if (identity === null) {
    if (username !== undefined && hasCompatibilityForms(username))
      return fail(failure('NotFound', 'username', COMPATIBILITY_FORMS));
    const given = identityId === undefined ? 'username' : 'identityId';
    return fail(failure('NotFound', given, 'there is no such identity'));
  }
  const atMs = at === null ? null : Date.parse(at);
  return c.json(await decide(identity, { tenant, address: ip, country: country ?? config.countryOf(ip), atMs }));
}

const COMPATIBILITY_FORMS =
  'has characters that stand for others, such as full-width letters and ligatures: no identity has such a username, and a sign-in with it is refused';
