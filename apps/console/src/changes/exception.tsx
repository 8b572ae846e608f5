import type { SodViolation } from '@access-admin/client';
import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { readNowMs } from '../service/clock.ts';
import { DateField } from '../ui/fields/date-field.tsx';
import { FieldRow } from '../ui/fields/row.tsx';
import { TextAreaField } from '../ui/fields/text-field.tsx';
import type { Action } from '../ui/forms/actions.tsx';
import { DAYS_MAX, dayIn, endOfDay, offeredDay, WORDS_MAX } from './limits.ts';
import { CHANGE_TEXTS } from './texts.ts';

/** The policy and the person of an exception. */
export interface ExceptionSubject {
  readonly policy: Pick<SodViolation['policy'], 'id' | 'name'>;
  readonly target: Pick<SodViolation['target'], 'id' | 'name'>;
}

/** Asks that a violation may last until a day, which another person has to approve. */
export function useExceptionRequest({ policy, target }: ExceptionSubject): Action {
  const pageText = usePageTexts(CHANGE_TEXTS);
  const { sodExceptions } = useApi();
  const [reason, setReason] = useState('');
  const [day, setDay] = useState(() => offeredDay(readNowMs()));
  const end = endOfDay(day);
  return {
    label: pageText('exception'),
    confirm: pageText('exception.confirm'),
    canRun: reason.trim() !== '' && end !== null,
    children: (
      <>
        <p dir="auto">{pageText('exception.text', { person: target.name, policy: policy.name })}</p>
        <p>{pageText('four-eyes')}</p>
        <FieldRow>
          <TextAreaField
            label={pageText('reason')}
            value={reason}
            lengthMax={WORDS_MAX}
            isRequired
            onChange={setReason}
          />
          <DateField
            label={pageText('until')}
            value={day}
            min={dayIn(0, readNowMs())}
            max={dayIn(DAYS_MAX, readNowMs())}
            hint={pageText('until.hint')}
            onChange={setDay}
          />
        </FieldRow>
      </>
    ),
    run: async () => {
      const window = { start: new Date(readNowMs()).toISOString(), end: end ?? '' };
      const subject = { policyId: policy.id, identityId: target.id, justification: reason.trim() };
      await sodExceptions.create({ ...subject, ...window });
      setReason('');
      return pageText('exception.done');
    },
  };
}
