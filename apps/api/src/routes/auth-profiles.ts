import { AUTH_PROFILES, authProfilePatch } from '@access-admin/contract';
import {
  type AuthProfile,
  type Caller,
  type Failure,
  fail,
  failure,
  ok,
  type Patch,
  type Result,
  validateVerificationChange,
} from '@access-admin/domain';
import type { AuthProfileView } from '@access-admin/store';
import { Hono } from 'hono';
import type { ApiEnv, RequestContext } from '../env.ts';
import type { Answer } from '../http/answer.ts';
import { auditContext } from '../http/audit-context.ts';
import { type Input, route } from '../operations/route.ts';
import { answerList } from './answers/list.ts';
import { ifMatch, withEtag } from './answers/resource.ts';
import { answerDryRun } from './sign-in-settings/dry-run.ts';

/** Auth profiles, called profile configs in paths. */
export const authProfiles = () =>
  new Hono<ApiEnv>()
    .on(
      ...route(AUTH_PROFILES.list, (c, { caller: { tenant }, query }) => {
        const { authProfiles } = c.env.services.store;
        return answerList(c, query.page, {
          list: (page) => authProfiles.list(tenant, page),
          count: () => authProfiles.count(tenant),
        });
      }),
    )
    .on(
      ...route(AUTH_PROFILES.get, async (c, { caller, params }) => {
        const profile = await c.env.services.store.authProfiles.find(caller.tenant, params.id);
        return profile === null ? NO_PROFILE : withEtag(c, profile);
      }),
    )
    .on(
      ...route(AUTH_PROFILES.patch, async (c, input) => {
        const { caller, params, query, body } = input;
        if (query.dryRun) return tryPatch(c, input);
        const { store, guardOf } = c.env.services;
        const changed = await store.authProfiles.change(auditContext(c), params.id, {
          precondition: ifMatch(c),
          decide: (profile, members) => decidePatch({ profile, members }, body, caller),
          guard: guardOf({ c, caller }),
        });
        return changed.ok ? withEtag(c, changed.value) : changed;
      }),
    );

/** Answers what a patch would do, under the conditions that it would be refused for. */
async function tryPatch(
  c: RequestContext,
  { caller, params, query, body }: Input<typeof AUTH_PROFILES.patch>,
): Promise<Answer> {
  const { authProfiles, signInSettings } = c.env.services.store;
  const view = await authProfiles.findView(caller.tenant, params.id, caller.identityId);
  if (view === null) return NO_PROFILE;
  const met = ifMatch(c)(view.profile);
  if (!met.ok) return met;
  const patched = applyPatch(view.profile, body);
  if (!patched.ok) return patched;
  const after = patched.value;
  const { network } = await signInSettings.readLatest(caller.tenant);
  return answerDryRun(c, {
    profileId: after.id,
    profileAfter: (each) => (each.id === after.id ? after : each),
    isForbidden: forbiddenChange(view, after, caller) !== null,
    network: { before: network, after: network },
    origin: query,
  });
}

function applyPatch(profile: AuthProfile, patch: Patch): Result<AuthProfile, Failure> {
  const settings = authProfilePatch.apply(profile, patch);
  return settings.ok ? ok({ ...profile, ...settings.value }) : settings;
}

function decidePatch(view: AuthProfileView, patch: Patch, caller: Caller): Result<AuthProfile, Failure> {
  const patched = applyPatch(view.profile, patch);
  const forbidden = patched.ok ? forbiddenChange(view, patched.value, caller) : null;
  return forbidden === null ? patched : fail(forbidden);
}

const forbiddenChange = ({ profile: before, members }: AuthProfileView, after: AuthProfile, caller: Caller) =>
  validateVerificationChange({ before, after, members, caller, at: (property) => property });

const NO_PROFILE = fail(failure('NotFound', '', 'There is no such auth profile.'));
