import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { readNowMs } from '../service/clock.ts';
import type { NamedException } from '../service/exceptions/queries.ts';
import { endsSoon } from '../service/exceptions/search.ts';
import { placeExceptions } from '../service/exceptions/timeline.ts';
import styles from './calendar.module.css';
import { EXCEPTION_TEXTS } from './texts.ts';

const PARTS = 100;

/** Approved exceptions as bars from their start to their end. The table has the same for keyboard and screen readers. */
export function Calendar({ exceptions }: { readonly exceptions: readonly NamedException[] }) {
  const { locale } = useSpeech();
  const pageText = usePageTexts(EXCEPTION_TEXTS);
  const nowMs = readNowMs();
  const { months, now, bars } = placeExceptions(exceptions, nowMs);
  const month = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit' });
  return (
    <figure className={styles['calendar']}>
      <div role="img" aria-label={pageText('calendar.text')}>
        <div className={styles['months']}>
          {months.map(({ start, at }) => (
            <span key={start} style={{ insetInlineStart: percent(at) }}>
              {month.format(new Date(start))}
            </span>
          ))}
        </div>
        <div className={styles['rows']}>
          {months.map(({ start, at }) => (
            <span key={start} className={styles['line']} style={{ insetInlineStart: percent(at) }} />
          ))}
          {exceptions.map((exception, at) => {
            const { from, to } = bars[at] ?? { from: 0, to: 0 };
            return (
              <div key={exception.id} className={styles['row']}>
                <span className={styles['name']}>
                  <bdi>{exception.person}</bdi>: <bdi>{exception.policyName}</bdi>
                </span>
                <span
                  className={`${styles['bar']} ${endsSoon(exception, nowMs) ? styles['soon'] : ''}`}
                  style={{ marginInlineStart: percent(from), width: percent(to - from) }}
                />
              </div>
            );
          })}
          <span className={styles['now']} style={{ insetInlineStart: percent(now) }} />
        </div>
      </div>
      <figcaption className={styles['legend']}>
        <span className={styles['today']}>{pageText('today')}</span>
        <span className={styles['later']}>{pageText('state.APPROVED')}</span>
        <span className={styles['sooner']}>{pageText('soon')}</span>
      </figcaption>
    </figure>
  );
}

const percent = (part: number): string => `${part * PARTS}%`;
