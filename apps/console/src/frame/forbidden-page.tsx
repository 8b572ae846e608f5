import type { Capability } from '@access-admin/client';
import { Heading } from '../ui/heading.tsx';
import { MissingRight } from '../ui/missing-right.tsx';

export interface ForbiddenPageProps {
  readonly title: string;
  /** The capabilities, one of which the page needs. */
  readonly needed: readonly Capability[];
}

/** Stands for a page that can show nothing to the session. */
export const ForbiddenPage = ({ title, needed }: ForbiddenPageProps) => (
  <>
    <Heading title={title} />
    <MissingRight needed={needed} />
  </>
);
