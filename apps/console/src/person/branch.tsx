import { Link } from '@tanstack/react-router';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { readNowMs } from '../service/clock.ts';
import { type AccessNode, type AssignedAccess, entitlementsOf } from '../service/people/access-tree.ts';
import { AccessLink } from '../ui/access-link.tsx';
import { Mark } from '../ui/mark.tsx';
import styles from './access.module.css';
import { PERSON_TEXTS } from './texts.ts';

/** Entitlements that are a part of a violation, each with the id of the violation. */
export type Conflicts = ReadonlyMap<string, string>;

export interface BranchProps {
  readonly node: AccessNode;
  /** When an assignment is valid, and where it comes from; nothing for what is below one. */
  readonly assigned?: Pick<AssignedAccess, 'start' | 'end' | 'source'>;
  readonly conflicts: Conflicts;
  readonly personId: string;
  /** Whether it is shown open. One that has a part of a violation always is, at first. */
  readonly isOpen: boolean;
}

/** Something that a person holds, with what is below it. */
export function Branch({ node, assigned, ...shared }: BranchProps) {
  const pageText = usePageTexts(PERSON_TEXTS);
  const { conflicts, personId, isOpen } = shared;
  if (node.children.length === 0)
    return (
      <li className={styles['leaf']}>
        <Label node={node} assigned={assigned} conflicts={conflicts} personId={personId} />
      </li>
    );
  const hasConflict = entitlementsOf(node).some((id) => conflicts.has(id));
  return (
    <li>
      <details open={isOpen || hasConflict}>
        <summary>
          <Label node={node} assigned={assigned} conflicts={conflicts} personId={personId} />
        </summary>
        <ul>
          <li className={styles['leaf']}>
            <AccessLink of={node}>{pageText('access.page', { name: node.name })}</AccessLink>
          </li>
          {node.children.map((child) => (
            <Branch key={`${child.type} ${child.id}`} node={child} {...shared} />
          ))}
        </ul>
      </details>
    </li>
  );
}

type LabelProps = Omit<BranchProps, 'isOpen' | 'assigned'> & { readonly assigned: BranchProps['assigned'] | undefined };

function Label({ node, assigned, conflicts, personId }: LabelProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(PERSON_TEXTS);
  const { type, id, name, isAssigned, children } = node;
  const violation = type === 'ENTITLEMENT' ? conflicts.get(id) : undefined;
  return (
    <span className={styles['what']}>
      {/* A heading that opens and closes contains no link, and two links beside each other are too small to be told apart. */}
      {children.length > 0 || violation !== undefined ? (
        <bdi className={styles['name']}>{name}</bdi>
      ) : (
        <AccessLink of={{ type, id }} className={styles['name']}>
          <bdi>{name}</bdi>
        </AccessLink>
      )}
      <span className={styles['muted']}>
        {(type !== 'ENTITLEMENT' || assigned !== undefined) && text(`type.${type}`)}
        {children.length > 0 && `, ${pageText('access.entitlements', { count: new Set(entitlementsOf(node)).size })}`}
      </span>
      {isAssigned && assigned === undefined && <Mark tone="accent">{pageText('access.direct')}</Mark>}
      {assigned?.source != null && <Mark>{pageText('access.source', { source: assigned.source })}</Mark>}
      {assigned !== undefined && <Window {...assigned} />}
      {violation !== undefined && (
        <Mark tone="critical">
          <Link to="/violations" search={{ target: personId, open: violation }} className={styles['conflict']}>
            {pageText('access.conflict')}
          </Link>
        </Mark>
      )}
    </span>
  );
}

/** When an assignment is valid; nothing where it always is. */
function Window({ start, end }: Pick<AssignedAccess, 'start' | 'end'>) {
  const { day } = useSpeech();
  const pageText = usePageTexts(PERSON_TEXTS);
  const from = start === null ? '' : day(start);
  const until = end === null ? '' : day(end);
  if (start === null && end === null) return null;
  const key = end === null ? 'window.from' : start === null ? 'window.until' : 'window.both';
  const now = readNowMs();
  return (
    <>
      <span>{pageText(key, { start: from, end: until })}</span>
      {start !== null && Date.parse(start) > now && <Mark>{pageText('window.later')}</Mark>}
      {end !== null && Date.parse(end) <= now && <Mark>{pageText('window.ended')}</Mark>}
    </>
  );
}
