import type { AccessRef } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { accessQuery } from '../service/look-ups.ts';
import { predictionQuery } from '../service/queries.ts';
import { parseWhatIfSearch, refsOf, type WhatIfSearch, writeRef } from '../service/what-if-search.ts';
import { Card } from '../ui/card.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { DateField } from '../ui/fields/date-field.tsx';
import { LookUpField } from '../ui/fields/look-up-field.tsx';
import { PersonField } from '../ui/fields/person-field.tsx';
import { FieldRow } from '../ui/fields/row.tsx';
import { Heading } from '../ui/heading.tsx';
import { Chosen } from './chosen.tsx';
import styles from './page.module.css';
import { WHAT_IF_TEXTS } from './texts.ts';

// It loads while the question is asked.
const Answer = lazy(() => import('./answer.tsx').then((file) => ({ default: file.Answer })));

/** Would this grant violate a policy? The address holds the question, so that it can be passed on. */
export function WhatIfPage() {
  const { text } = useSpeech();
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const api = useApi();
  const search = useSearch({ from: '/what-if' });
  const navigate = useNavigate({ from: '/what-if' });
  const answer = useQuery(predictionQuery(api, search));
  const change = (part: Readonly<Record<keyof WhatIfSearch, unknown>> | Partial<Record<keyof WhatIfSearch, unknown>>) =>
    navigate({ search: parseWhatIfSearch({ ...search, ...part }), replace: true });
  const drop = (refs: readonly AccessRef[]) => {
    const gone = new Set(refs.map(writeRef));
    change({ access: (search.access ?? []).filter((each) => !gone.has(each)) });
  };
  const isAsked = search.person !== undefined && refsOf(search).length > 0;
  return (
    <>
      <Heading title={pageText('title')}>
        <p>{pageText('about')}</p>
      </Heading>
      <div className={styles['columns']}>
        <Card title={pageText('question')}>
          <PersonField
            label={text('violations.person')}
            id={search.person}
            removeLabel={(name) => pageText('remove', { name })}
            onChoose={({ id }) => change({ person: id })}
            onRemove={() => change({ person: '' })}
          />
          <LookUpField
            label={pageText('access')}
            offer={(typed) => accessQuery(api, typed)}
            onChoose={({ type, id }) =>
              type !== 'IDENTITY' && change({ access: [...(search.access ?? []), writeRef({ type, id })] })
            }
          />
          <Chosen refs={refsOf(search)} onRemove={(ref) => drop([ref])} />
          <FieldRow>
            <DateField
              label={pageText('from')}
              hint={pageText('from.hint')}
              value={search.from ?? ''}
              onChange={(from) => change({ from })}
            />
            <DateField
              label={pageText('until')}
              hint={pageText('until.hint')}
              value={search.until ?? ''}
              {...(search.from !== undefined && { min: search.from })}
              onChange={(until) => change({ until })}
            />
          </FieldRow>
        </Card>
        <Card title={pageText('answer')}>
          {!isAsked && (
            <Empty title={pageText('empty')}>
              <p>{pageText('empty.text')}</p>
            </Empty>
          )}
          {isAsked && answer.isError && <Failure error={answer.error} onRetry={answer.refetch} />}
          {isAsked && answer.data !== undefined && (
            <Suspense>
              <Answer prediction={answer.data} search={search} onDrop={drop} />
            </Suspense>
          )}
        </Card>
      </div>
    </>
  );
}
