import type { SodReportViolation } from '@access-admin/client';
import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { VIOLATION_LEVELS } from '../service/policy/terms.ts';
import { itemsOf } from '../service/policy/trial.ts';
import { LevelBadge } from '../ui/badge.tsx';
import link from '../ui/link.module.css';
import { REPORT_TEXTS } from './texts.ts';

export interface CellsProps {
  readonly line: SodReportViolation;
  readonly hasChange: boolean;
  readonly onShow: () => void;
}

/** The cells of a violation in the table. */
export function Cells({ line, hasChange, onShow }: CellsProps) {
  const pageText = usePageTexts(REPORT_TEXTS);
  const { day, list } = useSpeech();
  const { change, identityId, displayName, policyId, policyName, level, exception } = line;
  const person = displayName ?? identityId;
  const items = itemsOf(line)
    .filter((names) => names.length > 0)
    .map((names) => list(names))
    .join(' × ');
  return (
    <>
      <div role="cell" title={person}>
        <Link to="/people/$id" params={{ id: identityId }}>
          <bdi>{person}</bdi>
        </Link>
      </div>
      <div role="cell" title={policyName}>
        <Link to="/policies/$id" params={{ id: policyId }}>
          <bdi>{policyName}</bdi>
        </Link>
      </div>
      <div role="cell">
        <LevelBadge level={VIOLATION_LEVELS[level]} />
      </div>
      {hasChange && <div role="cell">{pageText(change)}</div>}
      <div role="cell" title={items}>
        <button type="button" className={link['link']} onClick={onShow}>
          <bdi>{items}</bdi>
        </button>
      </div>
      <div role="cell">{exception === null ? '–' : day(exception.end)}</div>
    </>
  );
}
