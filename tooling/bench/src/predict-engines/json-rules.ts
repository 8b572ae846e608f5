import { loadPeer } from '../../peers/load-peer.ts';
import type { World } from '../world/create-world.ts';
import { askedAccessOf, sidesOf } from './asked-access.ts';
import type { RulesEngine } from './engine.ts';

interface Condition {
  readonly fact: string;
  readonly operator: string;
  readonly value: readonly string[];
}

interface JsonRulesEngine {
  Engine: new (
    rules: readonly { readonly conditions: { readonly all: readonly Condition[] }; readonly event: { type: string } }[],
  ) => {
    addOperator(name: string, matches: (fact: ReadonlySet<string>, value: readonly string[]) => boolean): void;
    run(facts: object): Promise<{ readonly events: readonly { readonly type: string }[] }>;
  };
}

/** One rule per policy with a custom operator on sets: with the library's `contains`, each item would need a condition. */
export async function createJsonRules(world: World): Promise<RulesEngine> {
  const { Engine } = await loadPeer<JsonRulesEngine>('json-rules-engine');
  const touches = (fact: string, value: readonly string[]): Condition => ({ fact, operator: 'touches', value });
  const engine = new Engine(
    world.policies.map((policy) => {
      const { left, right } = sidesOf(policy);
      const all = [touches('access', left), touches('access', right), touches('gained', [...left, ...right])];
      return { conditions: { all }, event: { type: policy.id } };
    }),
  );
  engine.addOperator('touches', (access, ids) => ids.some((id) => access.has(id)));

  const facts = askedAccessOf(world).map(({ access, gained }) => ({
    access: new Set(access),
    gained: new Set(gained),
  }));
  const answer = async (question: number): Promise<readonly string[]> => {
    const { events } = await engine.run(facts[question] ?? {});
    return events.map(({ type }) => type);
  };
  return { name: 'json-rules-engine', answer };
}
