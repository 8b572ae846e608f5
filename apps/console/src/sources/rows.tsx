import type { Source } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { LatestLoad } from '../loads/latest.tsx';
import { LOADS_TEXTS } from '../loads/texts.ts';
import { useApi } from '../service/api.tsx';
import { accountCountsQuery } from '../service/sources/queries.ts';
import { Mark } from '../ui/mark.tsx';
import table from '../ui/tables/table.module.css';
import styles from './page.module.css';
import { SOURCES_TEXTS } from './texts.ts';

const COUNTS = ['accounts', 'none', 'ambiguous'] as const;

/** The sources as a table, each with the counts of its accounts and its latest load. */
export function Rows({ sources }: { readonly sources: readonly Source[] }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(SOURCES_TEXTS);
  const loadsText = usePageTexts(LOADS_TEXTS);
  return (
    <div className="card">
      <table aria-label={text('nav.sources')} className={`${table['table']} ${table['stacked']} ${styles['sources']}`}>
        <thead>
          <tr>
            <th scope="col">{pageText('name')}</th>
            {COUNTS.map((count) => (
              <th key={count} scope="col" className={table['number']}>
                {pageText(count)}
              </th>
            ))}
            <th scope="col">{loadsText('latest')}</th>
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <Row key={source.id} source={source} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps = { readonly source: Source };

function Row({ source }: RowProps) {
  const pageText = usePageTexts(SOURCES_TEXTS);
  const loadsText = usePageTexts(LOADS_TEXTS);
  const { id, name, authoritative } = source;
  const counts = useQuery(accountCountsQuery(useApi(), id)).data;
  return (
    <tr>
      <th scope="row" className={table['name']}>
        <Link to="/sources/$id" params={{ id }}>
          <bdi>{name}</bdi>
        </Link>{' '}
        {authoritative && <Mark>{pageText('authoritative')}</Mark>}
      </th>
      <Count label={pageText('accounts')} count={counts?.all} />
      {(['none', 'ambiguous'] as const).map((link) => (
        <Count key={link} label={pageText(link)} count={counts?.[link]} source={source} link={link} />
      ))}
      <td data-label={loadsText('latest')}>
        <LatestLoad source={source.id} />
      </td>
    </tr>
  );
}

interface CountProps {
  /** What is counted, which a narrow screen says beside it. */
  readonly label: string;
  readonly count: number | undefined;
  readonly source?: Source;
  /** Which accounts it leads to. */
  readonly link?: 'none' | 'ambiguous';
}

function Count({ label, count, source, link }: CountProps) {
  const { number } = useSpeech();
  const shown = count === undefined ? '–' : number(count);
  return (
    <td className={table['number']} data-label={label}>
      {count && source !== undefined && link !== undefined ? (
        <Link to="/sources/$id" params={{ id: source.id }} search={{ link: link === 'none' ? 'NONE' : 'AMBIGUOUS' }}>
          {shown}
          <span className="away"> {source.name}</span>
        </Link>
      ) : (
        shown
      )}
    </td>
  );
}
