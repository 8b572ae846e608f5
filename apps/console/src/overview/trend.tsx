import type { ViolationSummary } from '@access-admin/client';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import tableStyles from '../ui/tables/table.module.css';
import { scaleTo } from './scale.ts';
import { OVERVIEW_TEXTS } from './texts.ts';
import styles from './trend.module.css';

type Days = ViolationSummary['trend'];

const PARTS = 100;

/** The violations that opened and ended on each day, as a picture and as a table. */
export function Trend({ days }: { readonly days: Days }) {
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  const opened = sumOf(days, 'opened');
  const ended = sumOf(days, 'ended');
  return (
    <figure className={styles['trend']}>
      <div role="img" aria-label={pageText('trend.label', { opened, ended })}>
        <Picture days={days} />
      </div>
      <figcaption className={styles['legend']}>
        <span className={styles['opened']}>{pageText('trend.opened')}</span>
        <span className={styles['ended']}>{pageText('trend.ended')}</span>
      </figcaption>
      <details>
        <summary>{pageText('trend.table')}</summary>
        <DaysTable days={days} />
      </details>
    </figure>
  );
}

/** Two lines over the days. The lines fill any width; the words beside them keep their size. */
function Picture({ days }: { readonly days: Days }) {
  const { number, utcDay } = useSpeech();
  const marks = scaleTo(Math.max(0, ...days.flatMap(({ opened, ended }) => [opened, ended])));
  const top = marks.at(-1) ?? 1;
  const last = Math.max(1, days.length - 1);
  const named = [0, Math.floor(last / 2), last].flatMap((at) => days[at] ?? []);
  return (
    <div className={styles['picture']}>
      <div className={styles['marks']}>
        {marks.map((mark) => (
          <span key={mark}>{number(mark)}</span>
        ))}
      </div>
      <div className={styles['plot']}>
        {marks.map((mark) => (
          <span key={mark} className={styles['line']} style={{ insetBlockEnd: `${(mark / top) * PARTS}%` }} />
        ))}
        <svg viewBox={`0 0 ${last} ${top}`} preserveAspectRatio="none" aria-hidden="true">
          {(['opened', 'ended'] as const).map((part) => (
            <polyline
              key={part}
              className={styles[part]}
              points={days.map((each, at) => `${at},${top - each[part]}`).join(' ')}
            />
          ))}
        </svg>
      </div>
      <div className={styles['days']}>
        {named.map(({ date }) => (
          <span key={date}>{utcDay(date)}</span>
        ))}
      </div>
    </div>
  );
}

function DaysTable({ days }: { readonly days: Days }) {
  const { number, utcDay } = useSpeech();
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  const shown = days.filter(({ opened, ended }) => opened + ended > 0);
  return (
    <table className={tableStyles['table']}>
      <thead>
        <tr>
          <th scope="col">{pageText('trend.date')}</th>
          <th scope="col" className={tableStyles['number']}>
            {pageText('trend.opened')}
          </th>
          <th scope="col" className={tableStyles['number']}>
            {pageText('trend.ended')}
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ date, opened, ended }) => (
          <tr key={date}>
            <th scope="row" className={tableStyles['name']}>
              {utcDay(date)}
            </th>
            <td className={tableStyles['number']}>{number(opened)}</td>
            <td className={tableStyles['number']}>{number(ended)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const sumOf = (days: Days, part: 'opened' | 'ended'): number => days.reduce((sum, each) => sum + each[part], 0);
