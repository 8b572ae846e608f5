import { type ReactNode, useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { type Choice, peopleQuery } from '../service/look-ups.ts';
import { LookUpField } from '../ui/fields/look-up-field.tsx';
import { FieldRow } from '../ui/fields/row.tsx';
import { TextAreaField, TextField } from '../ui/fields/text-field.tsx';
import { WORDS_MAX } from './limits.ts';
import { CHANGE_TEXTS } from './texts.ts';

export interface OwnerFields {
  /** The next owner; null until one is chosen. */
  readonly chosen: Pick<Choice, 'id' | 'name'> | null;
  /** What is said of it, for the calls that make the change. */
  readonly options: { readonly comments?: string };
  readonly clear: () => void;
  readonly fields: ReactNode;
}

/** The fields that choose another owner. Without the right to look people up, the id of the person is typed. */
export function useOwnerFields({
  mayLookUp,
  goesTo,
}: {
  readonly mayLookUp: boolean;
  /** The status line with the name of the next owner. */
  readonly goesTo: (name: string) => string;
}): OwnerFields {
  const pageText = usePageTexts(CHANGE_TEXTS);
  const api = useApi();
  const [chosen, setChosen] = useState<OwnerFields['chosen']>(null);
  const [comments, setComments] = useState('');
  const words = comments.trim();
  return {
    chosen,
    options: words === '' ? {} : { comments: words },
    clear: () => {
      setChosen(null);
      setComments('');
    },
    fields: (
      <>
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
          {mayLookUp && chosen !== null && goesTo(chosen.name)}
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
  };
}
