import { hasWindow, intervalOf } from '../access-model/interval.ts';
import { startsOf } from '../evaluation/temporal-question.ts';
import type { AccessGraph } from './explain-access.ts';
import { graphAt } from './explain-temporal.ts';
import type { AccessState } from './remediation.ts';

/** What is held and requested at each moment that a prediction looks at: at `at` alone, or from `nowMs` (since 1970) on. */
export function* accessStatesOf(
  graph: AccessGraph,
  { at, nowMs }: { readonly at?: string | null | undefined; readonly nowMs: number },
): Generator<AccessState> {
  const windows = [...graph.assignments, ...graph.requested].filter(hasWindow);
  if (windows.length === 0) yield graph;
  else if (typeof at === 'string') yield graphAt(graph, Date.parse(at));
  else for (const ms of startsOf(windows.map(intervalOf), nowMs)) yield graphAt(graph, ms);
}
