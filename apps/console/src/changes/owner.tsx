import type { SodViolation } from '@access-admin/client';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import type { Action } from '../ui/forms/actions.tsx';
import { useOwnerFields } from './owner-fields.tsx';
import { CHANGE_TEXTS } from './texts.ts';

/** Gives a violation another owner. */
export function useReassignment({ id, owner }: SodViolation, mayLookUp: boolean): Action {
  const { text } = useSpeech();
  const pageText = usePageTexts(CHANGE_TEXTS);
  const api = useApi();
  const { chosen, options, clear, fields } = useOwnerFields({
    mayLookUp,
    goesTo: (name) => pageText('owner.chosen', { name }),
  });
  return {
    label: pageText('owner'),
    confirm: pageText('owner.confirm'),
    canRun: chosen !== null,
    children: (
      <>
        <p dir="auto">{pageText('owner.text', { name: owner?.name ?? text('state.none') })}</p>
        {fields}
      </>
    ),
    run: async () => {
      const changed = await api.violations.reassign(id, chosen?.id ?? '', options);
      clear();
      const name = changed?.owner?.name ?? chosen?.name ?? '';
      return pageText(changed === null ? 'owner.same' : 'owner.done', { name });
    },
  };
}
