import { compileLintRulebook, type LintRulebook } from '@access-admin/domain';
import type { SodStore } from '@access-admin/store';
import type { Pace } from './pace.ts';
import { runSteps } from './run-steps.ts';

export interface LintRulebooksDeps {
  readonly sod: Pick<SodStore, 'loadRulebook'>;
  readonly pace: Pace;
}

/** The rulebook of a tenant with all that was committed before it was asked for. */
export type LoadLintRulebook = (tenant: string) => Promise<LintRulebook>;

/** A whole rulebook is much to have in memory: one is loaded at a time, and whoever waits for the same one shares it. */
export function createLintRulebooks({ sod, pace }: LintRulebooksDeps): LoadLintRulebook {
  const waiting = new Map<string, Promise<LintRulebook>>();
  let previous: Promise<void> = Promise.resolve();
  const load = async (tenant: string) => {
    // What is committed from now on may be missed: who comes later waits for the next one.
    waiting.delete(tenant);
    const { policies, catalogue } = await sod.loadRulebook(tenant);
    return runSteps(compileLintRulebook(policies, catalogue), pace);
  };
  return (tenant) => {
    const joined = waiting.get(tenant);
    if (joined !== undefined) return joined;
    const loaded = previous.then(() => load(tenant));
    waiting.set(tenant, loaded);
    const done = () => {};
    previous = loaded.then(done, done);
    return loaded;
  };
}
