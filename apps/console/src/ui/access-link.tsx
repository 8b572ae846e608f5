import type { AccessRef } from '@access-admin/client';
import { Link, linkOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';

const PATHS = {
  ROLE: '/roles/$id',
  ACCESS_PROFILE: '/access-profiles/$id',
  ENTITLEMENT: '/entitlements/$id',
} as const;

/** The page of a role, an access profile or an entitlement. */
export const accessLink = ({ type, id }: AccessRef) => linkOptions({ to: PATHS[type], params: { id } });

export interface AccessLinkProps {
  readonly of: AccessRef;
  readonly className?: string | undefined;
  /** Its name. */
  readonly children: ReactNode;
}

/** Leads to a role, an access profile or an entitlement. */
export const AccessLink = ({ of: { type, id }, className, children }: AccessLinkProps) => (
  <Link to={PATHS[type]} params={{ id }} className={className}>
    {children}
  </Link>
);
