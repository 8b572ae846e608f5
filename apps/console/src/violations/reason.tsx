import type { SodViolation } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useSpeech } from '../languages/context.tsx';
import { Failure } from '../parts/failure.tsx';
import { useApi } from '../service/api.tsx';
import type { Explanation, HeldItem } from '../service/explain-violation.ts';
import { reasonQuery } from '../service/queries.ts';
import styles from './details.module.css';

/** Why a violation is one, and what ends it. */
export function Reason({ violation }: { readonly violation: SodViolation }) {
  const { text } = useSpeech();
  const reason = useQuery(reasonQuery(useApi(), violation));
  return (
    <>
      <section className={styles['part']}>
        <h2>{text('violation.why')}</h2>
        <p dir="auto">{text('violation.why.text', { name: violation.target.name })}</p>
        {(reason.data?.sides ?? heldSides(violation)).map(({ items }, at) => (
          <div key={items.map(({ id }) => id).join()} className={styles['side']}>
            <h3>{text('violation.side', { count: at + 1 })}</h3>
            <ul>
              {items.map((item) => (
                <Held key={item.id} item={item} />
              ))}
            </ul>
          </div>
        ))}
      </section>
      {reason.isError && <Failure error={reason.error} onRetry={reason.refetch} />}
      {reason.data !== undefined && <Fix reason={reason.data} />}
    </>
  );
}

/** The items alone, while their ways are read. */
const heldSides = ({ conflictingCriteria }: SodViolation): Explanation['sides'] =>
  conflictingCriteria.map(({ name, conflictingItems }) => ({
    name,
    items: conflictingItems.map((item) => ({ id: item.id, name: item.name, ways: [] })),
  }));

function Held({ item }: { readonly item: HeldItem }) {
  const { text } = useSpeech();
  return (
    <li dir="auto">
      {item.name}
      {item.ways.map((way) => (
        <div key={way.map(({ id }) => id).join()} className={styles['paths']} dir="auto">
          {way.length === 0
            ? text('violation.directly')
            : `${text('violation.through')} ${way.map(({ name }) => name).join(' › ')}`}
        </div>
      ))}
    </li>
  );
}

function Fix({ reason: { sides, advice } }: { readonly reason: Explanation }) {
  const { text } = useSpeech();
  return (
    <section className={styles['part']}>
      <h2>{text('violation.fix')}</h2>
      {sides.length <= 2 && <p>{text(sides.length === 1 ? 'violation.fix.critical' : 'violation.fix.sides')}</p>}
      <ul className={styles['fixes']}>
        {sides.length <= 2 && sides.map((side, at) => <li key={side.name}>{fixOf(side.items, at)}</li>)}
      </ul>
      {advice !== null && (
        <p dir="auto">
          <strong>{text('violation.fix.advice')}:</strong> {advice}
        </p>
      )}
    </section>
  );

  function fixOf(items: readonly HeldItem[], at: number): string {
    const assigned = items.flatMap(({ name, ways }) => ways.map(([first]) => first?.name ?? name));
    return `${text('violation.side', { count: at + 1 })}: ${[...new Set(assigned)].join(', ')}`;
  }
}
