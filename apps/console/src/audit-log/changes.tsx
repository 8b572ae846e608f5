import type { AuditChange, AuditEvent } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTexts } from '../languages/context.tsx';
import { type DifferenceLine, differenceOf } from '../service/audit/difference.ts';
import { PersonName } from './actor-name.tsx';
import styles from './entry.module.css';
import { AUDIT_TEXTS } from './texts.ts';

/** One entry of an import has up to a thousand identities. */
const SHOWN_AT_ONCE = 20;
/** The value of a field can have many thousand lines. */
const LINES_MAX = 400;

/** What an entry has changed, each field with its value before and after. */
export function Changes({ event: { changes, resource, outcome } }: { readonly event: AuditEvent }) {
  const pageText = usePageTexts(AUDIT_TEXTS);
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  if (changes.length === 0)
    return <p className={styles['muted']}>{pageText(outcome === 'DENIED' ? 'changes.denied' : 'changes.none')}</p>;
  const isOfPeople = resource.type === 'IDENTITY' && resource.id === null;
  return (
    <section className={styles['changes']}>
      <h3>{pageText('changes', { count: changes.length })}</h3>
      {changes.slice(0, shown).map((change) => (
        <Change key={change.field} change={change} isOfPerson={isOfPeople} />
      ))}
      {changes.length > shown && (
        <p>
          <button type="button" className="button" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
            {pageText('changes.more')}
          </button>
        </p>
      )}
    </section>
  );
}

function Change({ change, isOfPerson }: { readonly change: AuditChange; readonly isOfPerson: boolean }) {
  const pageText = usePageTexts(AUDIT_TEXTS);
  const { field, before, after, added = [], removed = [] } = change;
  const refs = (kind: 'added' | 'removed', changed: typeof added) =>
    changed.map((ref): DifferenceLine => ({ kind, text: JSON.stringify(ref) }));
  const lines = [...differenceOf(before, after), ...refs('removed', removed), ...refs('added', added)];
  return (
    <div className={styles['change']}>
      <h4>
        {isOfPerson ? (
          <Link to="/audit-log" search={{ resource: field }}>
            <PersonName id={field} />
          </Link>
        ) : (
          field
        )}
      </h4>
      <div className={styles['lines']}>
        {lines.slice(0, LINES_MAX).map((line, at) => (
          <Line key={`${at} ${line.text}`} line={line} />
        ))}
        {lines.length > LINES_MAX && (
          <p className={styles['skipped']}>{pageText('changes.long', { count: LINES_MAX })}</p>
        )}
      </div>
    </div>
  );
}

function Line({ line: { kind, text } }: { readonly line: DifferenceLine }) {
  const pageText = usePageTexts(AUDIT_TEXTS);
  if (kind === 'skipped')
    return <p className={styles['skipped']}>{pageText('changes.skipped', { count: Number(text) })}</p>;
  return (
    <p className={styles[kind]}>
      <span className={styles['sign']} aria-hidden="true">
        {SIGNS[kind]}
      </span>
      {kind !== 'same' && <span className="away">{pageText(`line.${kind}`)} </span>}
      {text}
    </p>
  );
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
