import type { AccessRef, Capability } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { type NamingPolicy, namingPoliciesQuery } from '../service/access/queries.ts';
import { useApi } from '../service/api.tsx';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { LevelBadge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Mark } from '../ui/mark.tsx';
import styles from './page.module.css';
import { ACCESS_TEXTS } from './texts.ts';

export interface PoliciesProps {
  readonly of: AccessRef;
  readonly name: string;
  /** The capabilities one of which is missing to read policies; null where one is there. */
  readonly missing: readonly Capability[] | null;
}

/** The policies that name something, or an entitlement of it. */
export function Policies({ of, name, missing }: PoliciesProps) {
  const pageText = usePageTexts(ACCESS_TEXTS);
  return (
    <Card title={pageText('policies')} missing={missing}>
      <List of={of} name={name} />
    </Card>
  );
}

function List({ of, name }: Omit<PoliciesProps, 'missing'>) {
  const pageText = usePageTexts(ACCESS_TEXTS);
  const isItem = of.type === 'ENTITLEMENT';
  return (
    <Loaded query={useQuery(namingPoliciesQuery(useApi(), of, name))}>
      {(policies) =>
        policies.length === 0 ? (
          <p className={styles['muted']}>{pageText('policies.none')}</p>
        ) : (
          <>
            <p className={styles['muted']}>{pageText(isItem ? 'policies.about.ENTITLEMENT' : 'policies.about')}</p>
            <ul className={styles['items']}>
              {policies.map((policy) => (
                <One key={policy.id} policy={policy} hasItems={!isItem} />
              ))}
            </ul>
          </>
        )
      }
    </Loaded>
  );
}

interface OneProps {
  readonly policy: NamingPolicy;
  /** Whether the entitlements that the policy names are told. */
  readonly hasItems: boolean;
}

function One({ policy: { id, name, level, state, sides }, hasItems }: OneProps) {
  const { list } = useSpeech();
  const pageText = usePageTexts(ACCESS_TEXTS);
  return (
    <li>
      <span className={styles['line']}>
        <Link to="/policies/$id" params={{ id }}>
          <bdi>{name}</bdi>
        </Link>
        <LevelBadge level={VIOLATION_LEVELS[level]} />
        {state === 'NOT_ENFORCED' && <Mark>{pageText('not-enforced')}</Mark>}
      </span>
      {hasItems && (
        <span className={styles['muted']} dir="auto">
          {sides.map((names) => list(names)).join(' × ')}
        </span>
      )}
    </li>
  );
}
