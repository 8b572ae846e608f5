import { useQuery } from '@tanstack/react-query';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { type Moment, momentsQuery } from '../service/what-if-moments.ts';
import type { WhatIfSearch } from '../service/what-if-search.ts';
import { Failure } from '../ui/failure.tsx';
import styles from './page.module.css';
import { WHAT_IF_TEXTS } from './texts.ts';

/** When within its period a grant would violate which policies. */
export function Moments({ search }: { readonly search: WhatIfSearch }) {
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const moments = useQuery(momentsQuery(useApi(), search));
  if (moments.isError) return <Failure error={moments.error} onRetry={moments.refetch} />;
  if (moments.data === undefined) return null;
  return (
    <section aria-label={pageText('moments')}>
      <h3 className={styles['subtitle']}>{pageText('moments')}</h3>
      <ol className={styles['moments']}>
        {moments.data.map((moment) => (
          <Line key={moment.start} moment={moment} />
        ))}
      </ol>
    </section>
  );
}

function Line({ moment: { start, end, policies } }: { readonly moment: Moment }) {
  const { moment, list } = useSpeech();
  const pageText = usePageTexts(WHAT_IF_TEXTS);
  const isClean = policies.length === 0;
  return (
    <li className={isClean ? styles['clean'] : styles['violating']}>
      <span>
        {end === null
          ? pageText('moment.open', { start: moment(start) })
          : pageText('moment', { start: moment(start), end: moment(end) })}
      </span>{' '}
      <strong>{isClean ? pageText('moment.none') : pageText('moment.some', { count: policies.length })}</strong>
      {!isClean && <span dir="auto">{list(policies.map(({ name }) => name))}</span>}
    </li>
  );
}
