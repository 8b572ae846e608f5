import type { FixStep } from '@access-admin/client';
import { useOwnerFields } from '../changes/owner-fields.tsx';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { readStep } from '../service/reports/plan.ts';
import type { Action } from '../ui/forms/actions.tsx';
import { FIX_PLAN_TEXTS } from './texts.ts';

/** Gives the violations that a step ends an owner. */
export function useAssignment(step: FixStep): Action {
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const api = useApi();
  const { chosen, options, clear, fields } = useOwnerFields({
    // The right to reassign violations includes the right to look people up.
    mayLookUp: true,
    goesTo: (name) => pageText('assign.to', { count: step.ends.length, name }),
  });
  return {
    label: pageText('assign'),
    confirm: pageText('assign.confirm'),
    canRun: chosen !== null,
    children: (
      <>
        <p>{pageText('assign.text', { count: step.ends.length })}</p>
        {fields}
      </>
    ),
    run: async () => {
      const { left } = await readStep(api, step);
      // One after the other: a refusal of one names it, and what is done before is not done again.
      for (const { id } of left) await api.violations.reassign(id, chosen?.id ?? '', options);
      const name = chosen?.name ?? '';
      clear();
      return left.length === 0 ? pageText('assign.none') : pageText('assign.done', { count: left.length, name });
    },
  };
}
