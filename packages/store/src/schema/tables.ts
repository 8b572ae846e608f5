import type { RowOf } from './definition/columns.ts';
import { isOfTenants } from './definition/define-table.ts';
import { accessProfile } from './tables/access-profile.ts';
import { account } from './tables/account.ts';
import { accountAccess } from './tables/account-access.ts';
import { appliedControl } from './tables/applied-control.ts';
import { auditEvent } from './tables/audit-event.ts';
import { auditEventMember } from './tables/audit-event-member.ts';
import { auditHead } from './tables/audit-head.ts';
import { auditStream } from './tables/audit-stream.ts';
import { bearerToken } from './tables/bearer-token.ts';
import { branding } from './tables/branding.ts';
import { control } from './tables/control.ts';
import { correlationKey } from './tables/correlation-key.ts';
import { entitlement } from './tables/entitlement.ts';
import { event } from './tables/event.ts';
import { eventHead } from './tables/event-head.ts';
import { identity } from './tables/identity.ts';
import { identityDeletion } from './tables/identity-deletion.ts';
import { identityErasure } from './tables/identity-erasure.ts';
import { identityProfile } from './tables/identity-profile.ts';
import { identityProfileTie } from './tables/identity-profile-tie.ts';
import { identityTie } from './tables/identity-tie.ts';
import { keptMembers } from './tables/kept-members.ts';
import { linkGeneration } from './tables/link-generation.ts';
import { mail } from './tables/mail.ts';
import { oauthClient } from './tables/oauth-client.ts';
import { oauthClientOrigin } from './tables/oauth-client-origin.ts';
import { oauthClientTenant } from './tables/oauth-client-tenant.ts';
import { passkey } from './tables/passkey.ts';
import { pendingSignIn } from './tables/pending-sign-in.ts';
import { recoveryCode } from './tables/recovery-code.ts';
import { registerCount } from './tables/register-count.ts';
import { registerDay } from './tables/register-day.ts';
import { registerDue } from './tables/register-due.ts';
import { registerHead } from './tables/register-head.ts';
import { registerPolicy } from './tables/register-policy.ts';
import { removedTenant } from './tables/removed-tenant.ts';
import { retiredSigningKey } from './tables/retired-signing-key.ts';
import { role } from './tables/role.ts';
import { rulebookChange } from './tables/rulebook-change.ts';
import { searchEntry } from './tables/search-entry.ts';
import { secretKey } from './tables/secret-key.ts';
import { session } from './tables/session.ts';
import { signInAccount } from './tables/sign-in-account.ts';
import { signInFailure } from './tables/sign-in-failure.ts';
import { signInLink } from './tables/sign-in-link.ts';
import { signInSettings } from './tables/sign-in-settings.ts';
import { signingKey } from './tables/signing-key.ts';
import { sodCheck } from './tables/sod-check.ts';
import { sodException } from './tables/sod-exception.ts';
import { sodPolicy } from './tables/sod-policy.ts';
import { sodReport } from './tables/sod-report.ts';
import { sodReportEntry } from './tables/sod-report-entry.ts';
import { sodReportPolicy } from './tables/sod-report-policy.ts';
import { sodReportRequest } from './tables/sod-report-request.ts';
import { sodReportViolation } from './tables/sod-report-violation.ts';
import { sodReservation } from './tables/sod-reservation.ts';
import { sodReservationRef } from './tables/sod-reservation-ref.ts';
import { sodViolation } from './tables/sod-violation.ts';
import { source } from './tables/source.ts';
import { sourceLoad } from './tables/source-load.ts';
import { sourceLoadPart } from './tables/source-load-part.ts';
import { tenant } from './tables/tenant.ts';
import { tenantRemoval } from './tables/tenant-removal.ts';
import { usedSignInLink } from './tables/used-sign-in-link.ts';
import { webhook } from './tables/webhook.ts';
import { webhookDelivery } from './tables/webhook-delivery.ts';

/** All tables that both engines have, in an order in which they can be created. */
export const TABLES = [
  tenant,
  tenantRemoval,
  removedTenant,
  oauthClient,
  oauthClientTenant,
  oauthClientOrigin,
  bearerToken,
  identityTie,
  identityProfileTie,
  signingKey,
  entitlement,
  accessProfile,
  role,
  identityProfile,
  identity,
  source,
  account,
  accountAccess,
  keptMembers,
  correlationKey,
  sourceLoad,
  sourceLoadPart,
  sodPolicy,
  sodException,
  sodReservation,
  sodReservationRef,
  sodCheck,
  rulebookChange,
  identityErasure,
  auditEvent,
  auditEventMember,
  auditHead,
  auditStream,
  mail,
  sodReport,
  sodReportRequest,
  sodReportPolicy,
  sodReportViolation,
  sodReportEntry,
  retiredSigningKey,
  event,
  eventHead,
  sodViolation,
  registerHead,
  registerPolicy,
  registerCount,
  registerDay,
  registerDue,
  identityDeletion,
  secretKey,
  webhook,
  webhookDelivery,
  control,
  appliedControl,
  signInSettings,
  branding,
  signInAccount,
  passkey,
  recoveryCode,
  linkGeneration,
  signInLink,
  usedSignInLink,
  pendingSignIn,
  session,
  signInFailure,
  searchEntry,
] as const;

type AnyTable = (typeof TABLES)[number];

/**
 * The tables whose rows are of a tenant each: their key begins with it. On a distributed database all rows of a tenant are on one
 * node, and the other tables are on the coordinator alone. One write changes rows of a tenant or rows without one, never both.
 */
export const TENANT_TABLES = TABLES.filter(isOfTenants);

/** The rows of every table. */
export type Tables = { [T in AnyTable as T['name']]: RowOf<T['columns']> };

/** The tables of the access model, with rows by `tenant` and `id`. */
export type ModelTable =
  | 'entitlement'
  | 'access_profile'
  | 'role'
  | 'identity_profile'
  | 'identity'
  | 'source'
  | 'account'
  | 'sod_policy'
  | 'control';

export type OauthClientRow = Tables['oauth_client'];
export type SigningKeyRow = Tables['signing_key'];
export type RetiredSigningKeyRow = Tables['retired_signing_key'];
export type EntitlementRow = Tables['entitlement'];
export type AccessProfileRow = Tables['access_profile'];
export type RoleRow = Tables['role'];
export type IdentityProfileRow = Tables['identity_profile'];
export type IdentityRow = Tables['identity'];
export type SourceRow = Tables['source'];
export type AccountRow = Tables['account'];
export type SourceLoadRow = Tables['source_load'];
export type SodPolicyRow = Tables['sod_policy'];
export type ControlRow = Tables['control'];

export type SodExceptionRow = Tables['sod_exception'];
export type SodReservationRow = Tables['sod_reservation'];
export type SodCheckRow = Tables['sod_check'];
export type AuditEventRow = Tables['audit_event'];
export type SodReportRow = Tables['sod_report'];
export type SodReportRequestRow = Tables['sod_report_request'];
export type SodReportPolicyRow = Tables['sod_report_policy'];
export type SodReportViolationRow = Tables['sod_report_violation'];
export type SodReportEntryRow = Tables['sod_report_entry'];
export type SodViolationRow = Tables['sod_violation'];
export type RegisterHeadRow = Tables['register_head'];
export type EventRow = Tables['event'];
export type WebhookRow = Tables['webhook'];
export type WebhookDeliveryRow = Tables['webhook_delivery'];
export type PasskeyRow = Tables['passkey'];
export type SessionRow = Tables['session'];
