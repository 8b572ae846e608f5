import type { SodViolation } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { AccessLink } from '../ui/access-link.tsx';
import { Failure } from '../ui/failure.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { type Explanation, type HeldItem, labelOf } from './explain.ts';
import { layOut } from './layout.ts';
import { WhyGraph } from './picture.tsx';
import { reasonQuery } from './query.ts';
import styles from './reason.module.css';
import { Said } from './said.tsx';
import { useSideTitle } from './side-title.ts';
import { WHY_TEXTS } from './texts.ts';
import { Fixes } from './what-to-do.tsx';

export interface ReasonProps {
  readonly violation: SodViolation;
  /** The level of the headings. */
  readonly heading: 'h2' | 'h3';
  /** Whether an exception is requested for the violation, so that ending it is the alternative. */
  readonly isRequest?: boolean;
}

/** Why a violation is one, and what ends it. */
export function Reason({ violation, heading: Heading, isRequest = false }: ReasonProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(WHY_TEXTS);
  const reason = useQuery(reasonQuery(useApi(), violation));
  const { name } = violation.target;
  const isNarrow = useIsNarrow();
  const graph = reason.data === undefined || isNarrow ? null : layOut(name, reason.data.sides);
  return (
    <div className={styles['place']}>
      <div className={styles['reason']}>
        <section className={styles['part']}>
          <Heading>{pageText('why')}</Heading>
          <Said title={pageText('risk')} words={reason.data?.risk ?? null} />
          <p dir="auto">{pageText('about', { name })}</p>
          {reason.isPending && (
            <p role="status" className={styles['waiting']}>
              {text('state.loading')}
            </p>
          )}
          {graph !== null && <WhyGraph graph={graph} />}
          {!reason.isPending && (
            <details open={graph === null}>
              <summary>{pageText('as-text')}</summary>
              <Sides sides={reason.data?.sides ?? heldSides(violation)} />
            </details>
          )}
        </section>
        {reason.isError && <Failure error={reason.error} onRetry={reason.refetch} />}
        {reason.data !== undefined && <Fixes reason={reason.data} heading={Heading} isRequest={isRequest} />}
      </div>
    </div>
  );
}

/** The items alone, where their ways cannot be read. */
const heldSides = ({ conflictingCriteria }: SodViolation): Explanation['sides'] =>
  conflictingCriteria.map(({ name, conflictingItems }) => ({
    name,
    items: conflictingItems.map((item) => ({ id: item.id, name: item.name, ways: [] })),
  }));

function Sides({ sides }: Pick<Explanation, 'sides'>) {
  const title = useSideTitle();
  return sides.map(({ name, items }, at) => (
    <div key={items.map(({ id }) => id).join()} className={styles['side']}>
      <p className={styles['title']} dir="auto">
        {title(name, at)}
      </p>
      <ul>
        {items.map((item) => (
          <Held key={item.id} item={item} />
        ))}
      </ul>
    </div>
  ));
}

function Held({ item }: { readonly item: HeldItem }) {
  const { text } = useSpeech();
  return (
    <li dir="auto">
      <AccessLink of={{ type: 'ENTITLEMENT', id: item.id }}>{item.name}</AccessLink>
      {item.ways.map((way) => (
        <div key={way.map(({ id }) => id).join()} className={styles['way']} dir="auto">
          {way.length === 0
            ? text('violation.directly')
            : `${text('violation.through')} ${way.map(labelOf).join(' › ')}`}
        </div>
      ))}
    </li>
  );
}
