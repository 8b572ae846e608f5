import type { FixStep } from '@access-admin/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { stepsQuery } from '../service/reports/plan.ts';
import { FieldRow } from '../ui/fields/row.tsx';
import { TextAreaField } from '../ui/fields/text-field.tsx';
import type { Action } from '../ui/forms/actions.tsx';
import { FIX_PLAN_TEXTS } from './texts.ts';

const COMMENT_MAX = 1000;

/** Tells other systems to carry out a step. */
export function useHandOver(reportId: string, { step }: FixStep): Action {
  const pageText = usePageTexts(FIX_PLAN_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const [comment, setComment] = useState('');
  return {
    label: pageText('hand-over'),
    confirm: pageText('hand-over.confirm'),
    children: (
      <>
        <p>{pageText('hand-over.text')}</p>
        <FieldRow>
          <TextAreaField
            label={pageText('hand-over.comment')}
            value={comment}
            lengthMax={COMMENT_MAX}
            onChange={setComment}
          />
        </FieldRow>
      </>
    ),
    run: async () => {
      const words = comment.trim();
      await api.sodReports.handOver(reportId, step, words === '' ? {} : { comment: words });
      setComment('');
      await queries.invalidateQueries({ queryKey: stepsQuery(api, reportId).queryKey });
      return pageText('hand-over.done');
    },
  };
}
