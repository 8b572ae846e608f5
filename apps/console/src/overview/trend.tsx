import { usePageTexts, useSpeech } from '../languages/context.tsx';
import tableStyles from '../ui/tables/table.module.css';
import { type Days, fromFirstDay, scaleOf } from './chart.ts';
import { OVERVIEW_TEXTS } from './texts.ts';
import styles from './trend.module.css';

const PARTS = 100;
/** The part of a day that its bar fills. */
const BAR = 0.7;

/** The violations that opened and ended on each day, and those that were open, as a picture and as a table. */
export function Trend({ days: given }: { readonly days: Days }) {
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  const { utcDay } = useSpeech();
  const days = fromFirstDay(given);
  const opened = sumOf(days, 'opened');
  const ended = sumOf(days, 'ended');
  const since = days[0] === undefined ? '' : utcDay(days[0].date);
  return (
    <figure className={styles['trend']}>
      <div role="img" aria-label={pageText('trend.label', { since, opened, ended, open: days.at(-1)?.open ?? 0 })}>
        <Picture days={days} />
      </div>
      <figcaption className={styles['legend']}>
        <span className={styles['opened']}>{pageText('trend.opened')}</span>
        <span className={styles['ended']}>{pageText('trend.ended')}</span>
        <span className={styles['sum']}>{pageText('trend.open')}</span>
      </figcaption>
      <details>
        <summary>{pageText('trend.table')}</summary>
        <DaysTable days={days} />
      </details>
    </figure>
  );
}

/** Bars above and below zero, and a line. They fill any width; the words beside them keep their size. */
function Picture({ days }: { readonly days: Days }) {
  const { number, utcDay } = useSpeech();
  const { marks, top, bottom } = scaleOf(days);
  const height = top - bottom;
  const last = days.length - 1;
  const named = [...new Set([0, Math.floor(last / 2), last])].flatMap((at) => days[at] ?? []);
  const line = days.flatMap(({ open }, at) => [`${at},${top - open}`, `${at + 1},${top - open}`]).join(' ');
  return (
    <div className={styles['picture']}>
      <div className={styles['marks']}>
        {marks.map((mark) => (
          <span key={mark}>{number(Math.abs(mark))}</span>
        ))}
      </div>
      <div className={styles['plot']}>
        {marks.map((mark) => (
          <span
            key={mark}
            className={mark === 0 ? styles['zero'] : styles['line']}
            style={{ insetBlockEnd: `${((mark - bottom) / height) * PARTS}%` }}
          />
        ))}
        <svg viewBox={`0 0 ${days.length} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {days.map(({ date, opened, ended }, at) => (
            <g key={date}>
              <rect className={styles['opened']} x={at + (1 - BAR) / 2} y={top - opened} width={BAR} height={opened} />
              <rect className={styles['ended']} x={at + (1 - BAR) / 2} y={top} width={BAR} height={ended} />
            </g>
          ))}
          <polyline className={styles['sum']} points={line} />
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

const COLUMNS = ['opened', 'ended', 'open'] as const;

function DaysTable({ days }: { readonly days: Days }) {
  const { number, utcDay } = useSpeech();
  const pageText = usePageTexts(OVERVIEW_TEXTS);
  const shown = days.filter(({ opened, ended }) => opened + ended > 0);
  return (
    <table className={tableStyles['table']}>
      <thead>
        <tr>
          <th scope="col">{pageText('trend.date')}</th>
          {COLUMNS.map((column) => (
            <th key={column} scope="col" className={tableStyles['number']}>
              {pageText(`trend.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((day) => (
          <tr key={day.date}>
            <th scope="row" className={tableStyles['name']}>
              {utcDay(day.date)}
            </th>
            {COLUMNS.map((column) => (
              <td key={column} className={tableStyles['number']}>
                {number(day[column])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const sumOf = (days: Days, part: 'opened' | 'ended'): number => days.reduce((sum, each) => sum + each[part], 0);
