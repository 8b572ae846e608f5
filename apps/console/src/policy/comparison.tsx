import { useEffect, useRef } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { FORM_TEXTS } from '../policy-form/texts.ts';
import { draftOf, type PolicyDraft, sidesOf } from '../service/policy/draft.ts';
import { type Aspect, changesOf, type Edit, findDifferences, type PolicyVersion } from '../service/policy/edit.ts';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import styles from './comparison.module.css';
import { COMPARISON_TEXTS } from './comparison-texts.ts';

export interface ComparisonProps {
  readonly edit: Edit;
  readonly latest: PolicyVersion;
  /** What the latest version has changed. */
  readonly theirs: readonly Aspect[];
  readonly onDiscard: () => void;
  readonly onRebase: () => void;
}

/** A version that was saved elsewhere, beside the edit that began before it. */
export function Comparison({ edit, latest, theirs, onDiscard, onRebase }: ComparisonProps) {
  const pageText = usePageTexts(COMPARISON_TEXTS);
  const formText = usePageTexts(FORM_TEXTS);
  const heading = useRef<HTMLHeadingElement>(null);
  const saved = draftOf(latest.policy);
  const mine = changesOf(edit);
  const whose = (aspect: Aspect) =>
    pageText(theirs.includes(aspect) ? (mine.includes(aspect) ? 'changed.both' : 'changed.theirs') : 'changed.mine');
  useEffect(() => {
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <section className={styles['comparison']} role="alert">
      <h2 ref={heading}>{pageText('conflict')}</h2>
      <p>{pageText('conflict.text')}</p>
      {findDifferences(saved, edit.draft).map((aspect) => (
        <div key={aspect} className={styles['aspect']}>
          <h3>
            {formText(aspect)} <span className={styles['whose']}>{whose(aspect)}</span>
          </h3>
          <div className={styles['versions']}>
            <Version title={pageText('conflict.theirs')} aspect={aspect} draft={saved} other={edit.draft} />
            <Version title={pageText('conflict.mine')} aspect={aspect} draft={edit.draft} other={saved} />
          </div>
        </div>
      ))}
      <p className={styles['ways']}>
        <button type="button" className="button main" onClick={onRebase}>
          {pageText('conflict.rebase')}
        </button>
        <button type="button" className="button" onClick={onDiscard}>
          {pageText('conflict.take')}
        </button>
      </p>
    </section>
  );
}

interface VersionProps {
  readonly title: string;
  readonly aspect: Aspect;
  readonly draft: PolicyDraft;
  /** The draft that it is compared with. */
  readonly other: PolicyDraft;
}

function Version({ title, aspect, draft, other }: VersionProps) {
  return (
    <div className={styles['version']}>
      <h4>{title}</h4>
      {aspect === 'rule' ? <Sides draft={draft} other={other} /> : <Value aspect={aspect} draft={draft} />}
    </div>
  );
}

function Value({ aspect, draft }: { readonly aspect: Exclude<Aspect, 'rule'>; readonly draft: PolicyDraft }) {
  const pageText = usePageTexts(COMPARISON_TEXTS);
  const formText = usePageTexts(FORM_TEXTS);
  const { text } = useSpeech();
  const value = () => {
    if (aspect === 'state') return formText(draft.state);
    if (aspect === 'level') return text(`level.${VIOLATION_LEVELS[draft.level]}`);
    return aspect === 'owner' ? draft.owner?.name : draft[aspect];
  };
  return <p dir="auto">{value() || pageText('nothing')}</p>;
}

/** The sides of a rule; what the other draft does not have there is marked. */
function Sides({ draft, other }: Pick<VersionProps, 'draft' | 'other'>) {
  const formText = usePageTexts(FORM_TEXTS);
  const { number } = useSpeech();
  const others = sidesOf(other);
  return (
    <>
      <p>
        {formText(draft.form)}
        {draft.form === 'K_OF_N' &&
          `: ${formText('at-least.of', { some: number(draft.atLeast), all: number(draft.sides.length) })}`}
      </p>
      {sidesOf(draft).map((side, at) => (
        <div key={side.key}>
          <p className={styles['whose']} dir="auto">
            {side.name === '' ? formText('side', { count: at + 1 }) : side.name}
          </p>
          <ul>
            {side.items.map(({ id, name }) => (
              <li key={id} dir="auto">
                {others[at]?.items.some((item) => item.id === id) ? name : <mark>{name}</mark>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}
