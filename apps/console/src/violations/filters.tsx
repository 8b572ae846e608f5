import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import button from '../parts/button.module.css';
import { ChoiceField } from '../parts/fields/choice.tsx';
import { type TypedProps, useTyped } from '../parts/fields/use-typed.ts';
import {
  GROUPINGS,
  hasSearchLength,
  LEVELS,
  parseViolationSearch,
  STATUSES,
  type ViolationSearch,
} from '../service/violation-search.ts';
import { ExportButton } from './export-button.tsx';
import styles from './filters.module.css';
import { VIOLATIONS_TEXTS } from './texts.ts';

/** What the list shows. Every choice is a part of the address. */
export function Filters({ search }: { readonly search: ViolationSearch }) {
  const { text } = useSpeech();
  const pageText = usePageTexts(VIOLATIONS_TEXTS);
  const navigate = useNavigate({ from: '/violations' });
  const change = (part: Readonly<Record<string, string>>) =>
    navigate({ search: (present) => parseViolationSearch({ ...present, ...part }), replace: true });
  const any = { value: '', label: text('violations.any') };
  return (
    <search className={styles['filters']}>
      <ChoiceField
        label={text('violations.status')}
        value={search.status ?? ''}
        options={[any, ...STATUSES.map((value) => ({ value, label: text(`status.${value}`) }))]}
        onChange={(status) => change({ status })}
      />
      <ChoiceField
        label={text('violations.level')}
        value={search.level ?? ''}
        options={[any, ...LEVELS.map((value) => ({ value, label: text(`level.${value}`) }))]}
        onChange={(level) => change({ level })}
      />
      <ChoiceField
        label={text('violations.sort')}
        value={search.sort ?? '-created'}
        options={[
          { value: '-created', label: text('violations.sort.newest') },
          { value: 'created', label: text('violations.sort.oldest') },
          { value: '-level', label: pageText('sort.level') },
        ]}
        onChange={(sort) => change({ sort })}
      />
      <ChoiceField
        label={pageText('group')}
        value={search.group ?? ''}
        options={[
          { value: '', label: pageText('group.none') },
          ...GROUPINGS.map((value) => ({ value, label: text(`violations.${value}`) })),
        ]}
        onChange={(group) => change({ group })}
      />
      <PersonSearch value={search.person ?? ''} onChange={(person) => change({ person })} />
      {search.policy !== undefined && (
        <button type="button" className={button['button']} onClick={() => change({ policy: '' })}>
          {pageText('policy.clear')}
        </button>
      )}
      {search.target !== undefined && (
        <button type="button" className={button['button']} onClick={() => change({ target: '' })}>
          {pageText('target.clear')}
        </button>
      )}
      {search.owner !== undefined && (
        <button type="button" className={button['button']} onClick={() => change({ owner: '' })}>
          {pageText('owner.clear')}
        </button>
      )}
      {search.mine !== true && <ExportButton search={search} />}
    </search>
  );
}

function PersonSearch(props: TypedProps) {
  const pageText = usePageTexts(VIOLATIONS_TEXTS);
  const id = useId();
  const [typed, setTyped] = useTyped(props);
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{pageText('search')}</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-hint`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <p id={`${id}-hint`} className={typed.length > 0 && !hasSearchLength(typed) ? styles['hint'] : 'away'}>
        {pageText('search.hint')}
      </p>
    </div>
  );
}
