import { compileLintRulebook, type LintRulebook, lintPolicies, ok, type PolicyFinding } from '@access-admin/domain';
import type { SodStore } from '@access-admin/store';
import type { OperationHandler } from '../handle-operation.ts';
import type { Pace } from '../pace.ts';
import { runSteps } from '../run-steps.ts';

export interface LintDeps {
  readonly sod: Pick<SodStore, 'loadRulebook'>;
  readonly pace: Pace;
}

/** lint-sod-policies-v1 */
export function lintSodPolicies({ sod, pace }: LintDeps): OperationHandler {
  const load = oneAtATime(async (tenant) => {
    const { policies, catalogue } = await sod.loadRulebook(tenant);
    return runSteps(compileLintRulebook(policies, catalogue), pace);
  });
  return async ({ caller }) => ok({ text: pace(toJson(lintPolicies(await load(caller.tenant)))) });
}

type Load = (tenant: string) => Promise<LintRulebook>;

/** A whole rulebook is much to have in memory: one is loaded at a time, and whoever waits for the same one shares it. */
function oneAtATime(load: Load): Load {
  const waiting = new Map<string, Promise<LintRulebook>>();
  let previous: Promise<void> = Promise.resolve();
  return (tenant) => {
    const joined = waiting.get(tenant);
    if (joined !== undefined) return joined;
    const loaded = previous.then(() => {
      // What is committed from now on may be missed: who comes later waits for the next one.
      waiting.delete(tenant);
      return load(tenant);
    });
    waiting.set(tenant, loaded);
    const done = () => {};
    previous = loaded.then(done, done);
    return loaded;
  };
}

function* toJson(portions: Iterable<readonly PolicyFinding[]>): Generator<string> {
  let separator = '[';
  for (const findings of portions) {
    let text = '';
    for (const finding of findings) {
      text += separator + JSON.stringify(finding);
      separator = ',';
    }
    yield text;
  }
  yield separator === '[' ? '[]' : ']';
}
