import { useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { requestOf, type WhatIfSearch } from '../service/what-if-search.ts';
import { FieldRow } from '../ui/fields/row.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { Actions } from '../ui/forms/actions.tsx';
import { WHAT_IF_TEXTS } from './texts.ts';

const CONCERNS = ['policies', 'people'];

interface ReserveProps {
  readonly search: WhatIfSearch;
  /** Whether the answer tells no violation. One that it tells is accepted by reserving. */
  readonly isClean: boolean;
}

/** Reserves what is asked, so that later requests count it while it waits for an approval. */
export function Reserve({ search, isClean }: ReserveProps) {
  const { day } = useSpeech();
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const { sodReservations } = useApi();
  const [reference, setReference] = useState('');
  const reserve = {
    label: pageText('reserve'),
    confirm: pageText('reserve.confirm'),
    children: (
      <>
        <p>{pageText(isClean ? 'reserve.text' : 'reserve.conflict')}</p>
        <FieldRow>
          <TextField label={pageText('reserve.reference')} value={reference} onChange={setReference} />
        </FieldRow>
      </>
    ),
    run: async () => {
      const { expires } = await sodReservations.create({
        ...requestOf(search),
        reference: reference.trim() === '' ? null : reference.trim(),
        onConflict: isClean ? 'REFUSE' : 'RESERVE',
      });
      setReference('');
      return pageText('reserve.done', { day: day(expires) });
    },
  };
  return <Actions concerns={CONCERNS} actions={[reserve]} />;
}
