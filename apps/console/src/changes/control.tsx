import type { Control, SodViolation } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { controlsQuery } from '../service/controls.ts';
import { Failure } from '../ui/failure.tsx';
import { FieldRow } from '../ui/fields/row.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { TextAreaField } from '../ui/fields/text-field.tsx';
import type { Action } from '../ui/forms/actions.tsx';
import { WORDS_MAX, writeLength } from './limits.ts';
import { CHANGE_TEXTS } from './texts.ts';

/** Applies a control to a violation, which requests an exception for the time of the control. */
export function useControl({ id }: SodViolation): Action {
  const pageText = usePageTexts(CHANGE_TEXTS);
  const { violations } = useApi();
  const [control, setControl] = useState<Control | null>(null);
  const [comments, setComments] = useState('');
  const needsComments = control?.justificationRequired === true;
  return {
    label: pageText('control'),
    confirm: pageText('control.confirm'),
    canRun: control !== null && (!needsComments || comments.trim() !== ''),
    children: (
      <>
        <p>{pageText('control.text')}</p>
        <p>{pageText('four-eyes')}</p>
        <FieldRow>
          <Choice chosen={control} onChoose={setControl} />
          <TextAreaField
            label={pageText(needsComments ? 'control.reason' : 'control.reason.optional')}
            value={comments}
            lengthMax={WORDS_MAX}
            isRequired={needsComments}
            onChange={setComments}
          />
        </FieldRow>
      </>
    ),
    run: async () => {
      const words = comments.trim();
      await violations.applyControl(id, control?.id ?? '', words === '' ? {} : { comments: words });
      setComments('');
      setControl(null);
      return pageText('control.done', { name: control?.name ?? '' });
    },
  };
}

interface ChoiceProps {
  readonly chosen: Control | null;
  readonly onChoose: (control: Control | null) => void;
}

function Choice({ chosen, onChoose }: ChoiceProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(CHANGE_TEXTS);
  const controls = useQuery(controlsQuery(useApi()));
  if (controls.isError) return <Failure error={controls.error} onRetry={controls.refetch} />;
  if (controls.data === undefined) return <p>{text('state.loading')}</p>;
  if (controls.data.length === 0) return <p>{pageText('control.none')}</p>;
  return (
    <>
      <SelectField
        label={pageText('control.which')}
        value={chosen?.id ?? ''}
        options={[
          { value: '', label: pageText('control.choose') },
          ...controls.data.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(id) => onChoose(controls.data.find((each) => each.id === id) ?? null)}
      />
      {chosen !== null && <About control={chosen} />}
    </>
  );
}

function About({ control: { description, expiration } }: { readonly control: Control }) {
  const { locale } = useSpeech();
  const pageText = usePageTexts(CHANGE_TEXTS);
  const time = writeLength(expiration, locale);
  return (
    <div role="status">
      {description !== null && <p dir="auto">{description}</p>}
      <p>{pageText('control.time', { time })}</p>
    </div>
  );
}
