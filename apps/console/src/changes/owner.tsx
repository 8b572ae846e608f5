import type { SodViolation } from '@access-admin/client';
import { useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { type Choice, peopleQuery } from '../service/look-ups.ts';
import { LookUpField } from '../ui/fields/look-up-field.tsx';
import { FieldRow } from '../ui/fields/row.tsx';
import { TextAreaField, TextField } from '../ui/fields/text-field.tsx';
import type { Action } from '../ui/forms/actions.tsx';
import { WORDS_MAX } from './limits.ts';
import { CHANGE_TEXTS } from './texts.ts';

/** Gives a violation another owner. Without the right to look people up, the id of the person is typed. */
export function useReassignment({ id, owner }: SodViolation, mayLookUp: boolean): Action {
  const { text } = useSpeech();
  const pageText = usePageTexts(CHANGE_TEXTS);
  const api = useApi();
  const [chosen, setChosen] = useState<Pick<Choice, 'id' | 'name'> | null>(null);
  const [comments, setComments] = useState('');
  return {
    label: pageText('owner'),
    confirm: pageText('owner.confirm'),
    canRun: chosen !== null,
    children: (
      <>
        <p dir="auto">{pageText('owner.text', { name: owner?.name ?? text('state.none') })}</p>
        {mayLookUp ? (
          <LookUpField label={pageText('owner.new')} offer={(typed) => peopleQuery(api, typed)} onChoose={setChosen} />
        ) : (
          <TextField
            label={pageText('owner.id')}
            value={chosen?.id ?? ''}
            onChange={(typed) => setChosen(typed.trim() === '' ? null : { id: typed.trim(), name: typed.trim() })}
          />
        )}
        <p role="status" dir="auto">
          {mayLookUp && chosen !== null && pageText('owner.chosen', { name: chosen.name })}
        </p>
        <FieldRow>
          <TextAreaField
            label={pageText('owner.reason')}
            value={comments}
            lengthMax={WORDS_MAX}
            onChange={setComments}
          />
        </FieldRow>
      </>
    ),
    run: async () => {
      const words = comments.trim();
      const changed = await api.violations.reassign(id, chosen?.id ?? '', words === '' ? {} : { comments: words });
      setChosen(null);
      setComments('');
      const name = changed?.owner?.name ?? chosen?.name ?? '';
      return pageText(changed === null ? 'owner.same' : 'owner.done', { name });
    },
  };
}
