import type { AuditChange, AuditEvent } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import type { DifferenceLine } from '../service/audit/difference.ts';
import { inWords } from '../service/audit/words.ts';
import { EFFECTIVE_CAPABILITIES } from '../service/people/effective-capabilities.ts';
import { capabilityName } from '../ui/capability-label.ts';
import { PersonName } from './actor-name.tsx';
import { CHANGE_TEXTS } from './change-texts.ts';
import styles from './entry.module.css';
import { FIELD_TEXTS, isKnownField, isKnownValue, VALUE_TEXTS } from './field-texts.ts';

/** One entry of an import has up to a thousand identities. */
const SHOWN_AT_ONCE = 20;
/** The value of a field can have many thousand lines. */
const LINES_MAX = 400;

/** What an entry has changed, each field with its value before and after. */
export function Changes({ event: { changes, resource, outcome } }: { readonly event: AuditEvent }) {
  const pageText = usePageTexts(CHANGE_TEXTS);
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
  const fieldText = usePageTexts(FIELD_TEXTS);
  const { field } = change;
  return (
    <div className={styles['change']}>
      <h4>
        {isOfPerson ? (
          <Link to="/audit-log" search={{ resource: field }}>
            <PersonName id={field} />
          </Link>
        ) : isKnownField(field) ? (
          fieldText(field)
        ) : (
          field
        )}
      </h4>
      <Difference change={change} />
    </div>
  );
}

/** A change in words, or its lines where it is no value and no list. */
function Difference({ change }: { readonly change: AuditChange }) {
  const pageText = usePageTexts(CHANGE_TEXTS);
  const say = useValue();
  const words = inWords(change);
  if (words.kind === 'text')
    return (
      <div className={`${styles['lines']} ${styles['texts']}`}>
        {words.before !== '' && <Line line={{ kind: 'removed', text: words.before }} />}
        {words.after !== '' && <Line line={{ kind: 'added', text: words.after }} />}
      </div>
    );
  if (words.kind === 'value')
    return (
      <p className={styles['words']} dir="auto">
        {pageText(words.before === null ? 'value.set' : words.after === null ? 'value.removed' : 'value', {
          before: say(words.before ?? ''),
          after: say(words.after ?? ''),
        })}
      </p>
    );
  if (words.kind === 'list')
    return (
      <div className={styles['words']}>
        <Items label={pageText('list.added', { count: words.added.length })} items={words.added.map(say)} />
        <Items label={pageText('list.removed', { count: words.removed.length })} items={words.removed.map(say)} />
        {words.added.length + words.removed.length === 0 &&
          pageText(change.before === null || change.after === null ? 'list.empty' : 'list.same')}
      </div>
    );
  const { lines } = words;
  return (
    <div className={styles['lines']}>
      {lines.slice(0, LINES_MAX).map((line, at) => (
        <Line key={`${at} ${line.text}`} line={line} />
      ))}
      {lines.length > LINES_MAX && (
        <p className={styles['skipped']}>{pageText('changes.long', { count: LINES_MAX })}</p>
      )}
    </div>
  );
}

/** A value in words: those of lists of values, capabilities by their meaning, and moments as they are written here. */
function useValue(): (value: string) => string {
  const { text, moment } = useSpeech();
  const valueText = usePageTexts(VALUE_TEXTS);
  return (value) => {
    if (isKnownValue(value)) return valueText(value);
    const capability = EFFECTIVE_CAPABILITIES.find((each) => each === value);
    if (capability !== undefined) return capabilityName(text, capability);
    return MOMENT.test(value) ? moment(value) : value;
  };
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function Items({ label, items }: { readonly label: string; readonly items: readonly string[] }) {
  if (items.length === 0) return null;
  return (
    <>
      <p>{label}</p>
      <ul>
        {items.slice(0, LINES_MAX).map((item) => (
          <li key={item} dir="auto">
            {item}
          </li>
        ))}
      </ul>
    </>
  );
}

function Line({ line: { kind, text } }: { readonly line: DifferenceLine }) {
  const pageText = usePageTexts(CHANGE_TEXTS);
  if (kind === 'skipped')
    return <p className={styles['skipped']}>{pageText('changes.skipped', { count: Number(text) })}</p>;
  return (
    <p className={styles[kind]}>
      <span className={styles['sign']} aria-hidden="true">
        {SIGNS[kind]}
      </span>
      {kind !== 'same' && <span className="away">{pageText(`line.${kind}`)} </span>}
      <bdi>{text}</bdi>
    </p>
  );
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
