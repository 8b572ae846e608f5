import 'uplot/dist/uPlot.min.css';
import type { ViolationSummary } from '@access-admin/client';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { type Speech, useSpeech } from '../languages/context.tsx';
import tableStyles from '../parts/table.module.css';
import styles from './trend.module.css';

type Days = ViolationSummary['trend'];

const HEIGHT = 200;
const LINE_WIDTH = 2;
const SECOND_MS = 1000;

/** The violations that opened and ended on each day, as a picture and as a table. */
export function Trend({ days }: { readonly days: Days }) {
  const speech = useSpeech();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => (place.current === null ? undefined : drawTrend(place.current, days, speech)), [days, speech]);
  const [opened, ended] = [sumOf(days, 'opened'), sumOf(days, 'ended')];
  return (
    <figure className={styles['trend']}>
      <div
        ref={place}
        className={styles['picture']}
        role="img"
        aria-label={speech.text('overview.trend.label', { opened, ended })}
      />
      <figcaption className={styles['legend']}>
        <span className={styles['opened']}>{speech.text('trend.opened')}</span>
        <span className={styles['ended']}>{speech.text('trend.ended')}</span>
      </figcaption>
      <details>
        <summary>{speech.text('overview.trend.table')}</summary>
        <DaysTable days={days} />
      </details>
    </figure>
  );
}

function DaysTable({ days }: { readonly days: Days }) {
  const { text, number, day } = useSpeech();
  const shown = days.filter(({ opened, ended }) => opened + ended > 0);
  return (
    <table className={tableStyles['table']}>
      <thead>
        <tr>
          <th scope="col">{text('trend.date')}</th>
          <th scope="col" className={tableStyles['number']}>
            {text('trend.opened')}
          </th>
          <th scope="col" className={tableStyles['number']}>
            {text('trend.ended')}
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ date, opened, ended }) => (
          <tr key={date}>
            <th scope="row" className={tableStyles['name']}>
              {day(date)}
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

/** Draws the picture, and draws it again where its width or the colors of the page change. Returns what removes it. */
function drawTrend(place: HTMLElement, days: Days, speech: Speech): () => void {
  let plot: UPlot | null = null;
  const draw = () => {
    plot?.destroy();
    plot = new UPlot(optionsOf(place, speech), dataOf(days), place);
  };
  draw();
  const sizes = new ResizeObserver(() => plot?.setSize({ width: place.clientWidth, height: HEIGHT }));
  sizes.observe(place);
  const colors = new MutationObserver(draw);
  colors.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    sizes.disconnect();
    colors.disconnect();
    plot?.destroy();
  };
}

const dataOf = (days: Days): UPlot.AlignedData => [
  days.map(({ date }) => Date.parse(date) / SECOND_MS),
  days.map(({ opened }) => opened),
  days.map(({ ended }) => ended),
];

function optionsOf(place: HTMLElement, { number, day }: Speech): UPlot.Options {
  const colorOf = (name: string) => getComputedStyle(place).getPropertyValue(name).trim();
  const axis = { stroke: colorOf('--muted'), grid: { stroke: colorOf('--line'), width: 1 }, ticks: { show: false } };
  const dayOf = (seconds: number) => day(new Date(seconds * SECOND_MS).toISOString());
  return {
    width: place.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    axes: [
      { ...axis, space: 100, values: (_, splits) => splits.map(dayOf) },
      { ...axis, values: (_, splits) => splits.map((value) => (Number.isInteger(value) ? number(value) : '')) },
    ],
    series: [
      {},
      { stroke: colorOf('--critical'), width: LINE_WIDTH, points: { show: false } },
      { stroke: colorOf('--good'), width: LINE_WIDTH, dash: [6, 4], points: { show: false } },
    ],
  };
}
