import type { PolicyFinding } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameQuery } from '../service/look-ups.ts';
import { lintQuery } from '../service/policy/queries.ts';
import badge from '../ui/badge.module.css';
import { Card } from '../ui/card.tsx';
import styles from './findings.module.css';
import { POLICY_TEXTS } from './texts.ts';

/** The fragment of an address that leads to the findings. */
export const FINDINGS_HASH = 'findings';

/** What lint has found of the saved policy. */
export function Findings({ policyId }: { readonly policyId: string }) {
  const pageText = usePageTexts(POLICY_TEXTS);
  const lint = useQuery(lintQuery(useApi()));
  const place = useRef<HTMLDivElement>(null);
  const isSought = useLocation().hash === FINDINGS_HASH;
  const findings = (lint.data ?? []).filter((finding) => finding.policyId === policyId);
  const isThere = findings.length > 0;
  useEffect(() => {
    if (isSought && isThere) place.current?.focus();
  }, [isSought, isThere]);
  return (
    isThere && (
      <div ref={place} tabIndex={-1} className={styles['place']}>
        <Card title={pageText('findings')}>
          <ul className={styles['findings']}>
            {findings.map((finding) => (
              <Finding key={`${finding.code} ${finding.ref?.id}`} finding={finding} />
            ))}
          </ul>
        </Card>
      </div>
    )
  );
}

function Finding({ finding: { code, severity, ref, related, text } }: { readonly finding: PolicyFinding }) {
  const pageText = usePageTexts(POLICY_TEXTS);
  return (
    <li className={styles['finding']}>
      <p>
        <SeverityBadge severity={severity} /> <strong>{pageText(code)}</strong>{' '}
        {ref !== null && code !== 'DELETED_ITEM' && <Named of={ref} />}
      </p>
      <p className={styles['text']} dir="auto">
        {text}
      </p>
      {related.map(({ id, name }) => (
        <p key={id}>
          <Link to="/policies/$id" params={{ id }} dir="auto">
            {name}
          </Link>
        </p>
      ))}
    </li>
  );
}

/** How severe a finding is. */
export function SeverityBadge({ severity }: Pick<PolicyFinding, 'severity'>) {
  const pageText = usePageTexts(POLICY_TEXTS);
  return (
    <span className={`${badge['badge']} ${badge[severity === 'ERROR' ? 'critical' : 'medium']}`}>
      {pageText(severity)}
    </span>
  );
}

function Named({ of }: { readonly of: NonNullable<PolicyFinding['ref']> }) {
  const name = useQuery(nameQuery(useApi(), of));
  return <span dir="auto">{name.data ?? of.id}</span>;
}
