export { assignmentKey, changedAssignments } from './access/model/assignments.ts';
export * from './access/model/attributes.ts';
export * from './access/model/grants.ts';
export { hasWindow, type Interval, intervalOf, timedAccessRef } from './access/model/interval.ts';
export type { NamedRef } from './access/model/named-ref.ts';
export * from './access/model/owner.ts';
export * from './access/model/records.ts';
export { sortById } from './access/model/sort-by-id.ts';
export * from './access/scim/filter.ts';
export * from './access/sources/account.ts';
export * from './access/sources/authoritative.ts';
export * from './access/sources/correlate.ts';
export * from './access/sources/held-access.ts';
export * from './access/sources/load.ts';
export * from './access/sources/source.ts';
export * from './administration/auth-profile.ts';
export * from './administration/auth-user.ts';
export * from './administration/authorization.ts';
export * from './administration/branding.ts';
export * from './administration/capability.ts';
export { foldText, foldUid, foldUsername, hasCompatibilityForms } from './administration/fold-uid.ts';
export { parseAddress, textOfAddress } from './administration/network/address-bytes.ts';
export { type AddressRanges, compileRanges, isAddressRange, isInRanges } from './administration/network/ranges.ts';
export { SPECIAL_IPV4, SPECIAL_IPV6 } from './administration/network/special-addresses.ts';
export { validateAddress } from './administration/network/validate-address.ts';
export * from './administration/oauth-client.ts';
export { normalizePassword } from './administration/password/normalize.ts';
export * from './administration/password/validate-new.ts';
export {
  type ProfileMembers,
  validateVerificationChange,
} from './administration/protected-identity.ts';
export * from './administration/sign-in/decision.ts';
export * from './administration/sign-in/dry-run.ts';
export * from './administration/sign-in/guard-rail.ts';
export * from './administration/sign-in/lockout-config.ts';
export * from './administration/sign-in/manage-credentials.ts';
export * from './administration/sign-in/network-config.ts';
export * from './administration/sign-in/session-config.ts';
export * from './administration/sign-in/settings.ts';
export * from './administration/tenant.ts';
export * from './administration/ui-metadata.ts';
export * from './authzen/decision.ts';
export * from './authzen/question.ts';
export * from './authzen/search.ts';
export { parseRetryAfter } from './basics/instants/retry-after.ts';
export { createInstantText } from './basics/instants/text.ts';
export { canonicalJson } from './basics/json/canonical.ts';
export * from './basics/json-patch/apply.ts';
export * from './basics/json-patch/parse.ts';
export * from './basics/json-patch/resource.ts';
export { isObject } from './basics/json-patch/value.ts';
export { keysOf } from './basics/objects/keys-of.ts';
export { recordOf } from './basics/objects/record-of.ts';
export { compareTexts } from './basics/order/compare-texts.ts';
export { countBefore } from './basics/order/count-before.ts';
export { describeError, type ErrorDescription } from './basics/result/describe-error.ts';
export * from './basics/result/failure.ts';
export { CAUSES_MAX, failureOf, type Issue } from './basics/result/issue.ts';
export * from './basics/result/result.ts';
export { knownTextRule } from './basics/result/suggestion.ts';
export { directionIssueText, plainTextIssueText, type TextIssue } from './basics/result/text.ts';
export { utf8Length } from './basics/result/utf8-length.ts';
export { exceptionOfControl } from './governance/controls/application.ts';
export * from './governance/controls/applied.ts';
export {
  type ControlFields,
  completeControl,
  validateControlDeletion,
  validateOwners,
} from './governance/controls/change.ts';
export * from './governance/controls/model.ts';
export { APPROVING_CAPABILITIES, gainsApproval } from './governance/exceptions/approving.ts';
export { conflictingItems, type HeldGraph } from './governance/exceptions/held-conflict.ts';
export * from './governance/exceptions/identity-ties.ts';
export * from './governance/exceptions/sod-exception.ts';
export * from './governance/exceptions/terms.ts';
export * from './governance/lint/finding.ts';
export {
  firstFindings,
  IMPORT_WARNINGS_MAX,
  type LintRequest,
  lintInFocus,
  lintPolicies,
} from './governance/lint/run.ts';
export * from './governance/reports/fix-plan.ts';
export { conflictShown, type ReportLine, showReportLine } from './governance/reports/line.ts';
export * from './governance/reports/report.ts';
export { validateBlastRadius } from './governance/reports/validate-blast-radius.ts';
export {
  type DryRunBase,
  dryRunIssues,
  dryRunReferenceIssues,
  hasUnresolvedItem,
} from './governance/reports/validate-dry-run.ts';
export { validateFixPlan } from './governance/reports/validate-fix-plan.ts';
export * from './governance/reservations/reservation.ts';
export {
  type HeldViolation,
  heldMomentsAt,
  heldViolationOf,
  heldViolationsAt,
} from './governance/violations/held-violations.ts';
export { nextInstantAfter } from './governance/violations/next-instant.ts';
export { policyTermsOf } from './governance/violations/policy-terms.ts';
export * from './governance/violations/reassign.ts';
export * from './governance/violations/trend.ts';
export * from './governance/violations/violation.ts';
export { tellAccountsWithoutIdentity } from './import/accounts-without-identity.ts';
export { type ChangedIdentity, identityChange } from './import/identity-change.ts';
export type { InPieces } from './import/in-pieces.ts';
export * from './import/one-record.ts';
export * from './import/plan.ts';
export { groupChanges, recordImport, recordsOf } from './import/record-changes.ts';
export * from './import/records.ts';
export {
  type IdsByKind,
  type ImportFootprint,
  importFootprint,
  KIND_OF_ACCESS,
} from './import/references.ts';
export { type SignInEnds, signInEndsOf } from './import/sign-in-ends.ts';
export { tellUnknownItems } from './import/unknown-items.ts';
export { DOCUMENTS_OF_SHOWN } from './look-up/documents.ts';
export {
  accessHoldersOf,
  type Bundles,
  type GrantingAccess,
  grantingAccessOf,
  refKey,
} from './look-up/holders.ts';
export {
  type GrantingAccount,
  listIdentity,
  type NameOf,
  showAccessProfile,
  showEntitlement,
  showIdentity,
  showRole,
} from './look-up/present.ts';
export type {
  AccessHolder,
  ListedIdentity,
  ShownAccessProfile,
  ShownAssignment,
  ShownEntitlement,
  ShownIdentity,
  ShownRole,
  ViolationCounts,
} from './look-up/records.ts';
export * from './policies/model.ts';
export * from './policies/presentation.ts';
export { AT_LEAST_RANGE, placedItems, validateAddedReferences, validateSodPolicy } from './policies/validation.ts';
export {
  batchLineFrame,
  explainedPredictionJson,
  type FoundPrediction,
  type PredictionParts,
  policyIdAt,
  policyIdsOf,
  predictionJson,
} from './predictions/answer-json.ts';
export * from './predictions/check.ts';
export * from './predictions/check-result.ts';
export type { Explanation } from './predictions/context-json.ts';
export {
  type ApprovedException,
  type ApprovedOnConflict,
  type BoundException,
  coverageOf,
  coveringOf,
  covers,
  type ExceptionCoverage,
  type HeldMoments,
  standingExceptions,
} from './predictions/coverage.ts';
export type { AccessSource, AssignedRef } from './predictions/path-origins.ts';
export type { NamePending, PendingRef, PendingReservation } from './predictions/pending.ts';
export { type Prediction, type PredictionRequest, predict } from './predictions/predict.ts';
export type { AccessGraph, AccessPath, AccessReason, NamedAccessRef, PathStep } from './predictions/reasons.ts';
export {
  nameSources,
  type Remediation,
  type RevokedAssignment,
  remediate,
  searchRemediation,
} from './predictions/remediation.ts';
export { isAcceptable, RESERVED_CONTEXTS_BYTES_MAX, reservedPredictionJson } from './predictions/reserved-json.ts';
export type {
  CoveringException,
  KOfNConflict,
  NamedViolationSide,
  PolicyAdvice,
  TwoSidedConflict,
  ViolatedPolicyRef,
  ViolationContext,
  ViolationCoverage,
  ViolationItem,
  ViolationPrediction,
  ViolationSide,
} from './predictions/violation-context.ts';
export { accountChange, type ChangedAccount } from './record/audit/account-change.ts';
export * from './record/audit/attestations.ts';
export { brandingChanges } from './record/audit/branding-changes.ts';
export * from './record/audit/chain.ts';
export * from './record/audit/check-receipt.ts';
export { controlChanges } from './record/audit/control-changes.ts';
export * from './record/audit/event.ts';
export { policyChanges } from './record/audit/policy-changes.ts';
export { sourceChanges } from './record/audit/source-changes.ts';
export { checkEventData } from './record/events/check-data.ts';
export * from './record/events/new-event.ts';
export { type NumberedEvent, showSequence } from './record/events/numbered-event.ts';
export {
  authorizePatterns,
  coveredTypes,
  type EventReader,
  isEventPattern,
  parseEventPatterns,
  readableEventTypes,
} from './record/events/patterns.ts';
export * from './record/events/table.ts';
export * from './record/persons/erase-person.ts';
export { isPersonRecord, PERSON_IDS } from './record/persons/properties.ts';
export * from './record/persons/validate-erasure.ts';
export { type CoveringRights, type PresentRights, webhookReaderOf } from './record/webhooks/coverage.ts';
export { addressInHost, validateTarget } from './record/webhooks/target.ts';
export * from './record/webhooks/webhook.ts';
export {
  type AccessRefTable,
  type AccessRequest,
  type AccessState,
  type AssignmentIndex,
  type AssignmentIndexWriter,
  accessStatesOf,
  assignmentIndexBytes,
  type ConflictFinder,
  changeLintRulebook,
  changePolicies,
  compileGrantingRefs,
  compileLintRulebook,
  compilePolicyTables,
  compileSodIndex,
  createAccessRefTable,
  createAssignmentIndexWriter,
  createCatalogueCompiler,
  createConflictFinder,
  createDryRunEvaluator,
  createFinderMemory,
  createGainEvaluator,
  createLintCompiler,
  createPolicyCompiler,
  createScanEvaluator,
  createSodIndex,
  createTimedConflictFinder,
  createTimedHoldingsWriter,
  type EmitViolation,
  EXPLAINED_INSTANTS_MAX,
  type ExpandedAccess,
  enforcedPlaces,
  entitlementAt,
  entitlementsOf,
  expandAccess,
  expandAssignments,
  type FinderMemory,
  type FixPlan,
  findRef,
  type Gain,
  type HeldAccess,
  type HeldAccessLists,
  type Holder,
  holderBatches,
  holdersOf,
  internRef,
  type LintFocus,
  type LintRulebook,
  lintRulebookBytes,
  type NumberedRef,
  type PlannedIdentity,
  type PlannedRef,
  type PolicyChanges,
  type PolicyPlace,
  type Protection,
  placeOfItem,
  planFixes,
  policyAt,
  policySidesAt,
  protectionOf,
  type QuestionFailure,
  type ReportEvaluator,
  type ReportedPolicy,
  type ReportedSides,
  type ReportPolicy,
  refAt,
  refTableBytes,
  SOD_REPORT_CHANGES,
  type SodCatalogue,
  type SodEntitlement,
  type SodIndex,
  type SodReportChange,
  sodIndexBytes,
  stepsOf,
  type TextPart,
  type TimedAssignment,
  type TimedEntitlements,
  type TimedGain,
  type TimedHoldings,
  timedAssignmentsOf,
  UNSOLVABLE_REASONS,
  type UnsolvableReason,
  type ViolatedPolicy,
  validateAccessRefs,
  validateInstants,
  withEntitlements,
} from './sod/index.ts';
