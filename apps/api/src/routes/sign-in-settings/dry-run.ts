import {
  createSignInDryRun,
  type DryRunAsker,
  ok,
  type Result,
  type SignInDryRun,
  type TriedSignInChange,
} from '@access-admin/domain';
import type { SignInPopulationStore } from '@access-admin/store';
import type { Jobs } from '../../event-loop/jobs.ts';
import { requestClosed } from '../../http/connection.ts';
import type { CheckedRequest, OperationResult } from '../../operations/operation.ts';
import type { AskerOf } from '../../sign-in/guard.ts';
import type { CountryOf } from '../../sign-in/origin.ts';

export interface DryRunParts {
  readonly population: SignInPopulationStore;
  readonly askerOf: AskerOf;
  readonly countryOf: CountryOf;
  readonly jobs: Jobs;
}

/** From where the sign-ins of a dry-run come; null is for what is left out. */
export interface DryRunOrigin {
  readonly ip: string | null;
  readonly country: string | null;
}

/** A change as it is tried. */
export interface Tried extends TriedSignInChange {
  /** The id of the only auth profile that it concerns; null for a change that concerns all. */
  readonly profileId: string | null;
  /** Whether the caller may not make the change; it may still see what another one would do with it. */
  readonly isForbidden: boolean;
  readonly origin: DryRunOrigin;
}

/** Answers what a change would do, without making it. */
export type AnswerDryRun = (request: CheckedRequest, tried: Tried) => Promise<Result<OperationResult, never>>;

/** Identities are read in parts, outside of a write. */
export function createAnswerDryRun({ population, askerOf, countryOf, jobs }: DryRunParts): AnswerDryRun {
  /** The asker, as though it asked from there. */
  const askerFrom = ({ ip, country }: DryRunOrigin, request: CheckedRequest): DryRunAsker => {
    const asker = askerOf(request);
    const known = ip === null ? null : countryOf(ip);
    const { identityId } = request.caller;
    return { ...asker, identityId, address: ip ?? asker.address, country: country ?? known ?? asker.country };
  };

  return async (request, { profileId, isForbidden, origin, ...change }) => {
    const { tenant } = request.caller;
    const job = jobs.begin(tenant, requestClosed(request.c));
    const count = createSignInDryRun(change, askerFrom(origin, request));
    let after: string | null = '';
    while (after !== null) {
      await jobs.yield(job);
      const { identities, next } = await population.readPart(tenant, after);
      for (const identity of identities)
        if (profileId === null || identity.authProfile.id === profileId) count.add(identity);
      after = next;
    }
    const result: SignInDryRun = count.finish(await population.readView(tenant));
    return ok({ json: { ...result, wouldBeRefused: result.wouldBeRefused || isForbidden } });
  };
}
