export { foldText, foldUid, foldUsername, hasCompatibilityForms } from './access-model/fold-uid.ts';
export { hasWindow, type Interval, intervalOf, timedAccessRef } from './access-model/interval.ts';
export type { NamedRef } from './access-model/named-ref.ts';
export * from './access-model/owner.ts';
export * from './access-model/records.ts';
export {
  type AccessRefTable,
  createAccessRefTable,
  findRef,
  internRef,
  refTableBytes,
  type TextPart,
} from './access-model/ref-table.ts';
export * from './administration/auth-profile.ts';
export * from './administration/auth-user.ts';
export * from './administration/authorization.ts';
export * from './administration/capability.ts';
export { EMBEDDING_ORIGINS_MAX, parseEmbeddingOrigins } from './administration/embedding-origins.ts';
export * from './administration/oauth-client.ts';
export {
  type ProfileMembers,
  validateVerificationChange,
} from './administration/protected-identity.ts';
export * from './administration/ui-metadata.ts';
export { canonicalJson } from './audit/canonical-json.ts';
export * from './audit/chain.ts';
export * from './audit/check-receipt.ts';
export * from './audit/event.ts';
export { policyChanges } from './audit/policy-changes.ts';
export { sortById } from './collections/sort-by-id.ts';
export { exceptionOfControl } from './control/application.ts';
export * from './control/applied.ts';
export {
  type ControlFields,
  completeControl,
  controlChanges,
  parseControlPatch,
  patchControl,
  validateControlDeletion,
  validateOwners,
} from './control/change.ts';
export * from './control/model.ts';
export { type ExpandedAccess, expandAccess } from './evaluation/expand-access.ts';
export {
  expandAssignments,
  type HeldAccess,
  type NumberedRef,
  type TimedEntitlements,
  withEntitlements,
} from './evaluation/held-access.ts';
export { type AccessRequest, type Holder, type QuestionFailure, validateAccessRefs } from './evaluation/question.ts';
export { EXPLAINED_INSTANTS_MAX, validateInstants } from './evaluation/validate-instants.ts';
export { checkEventData } from './event/check-data.ts';
export { type NumberedEvent, showSequence, writeCloudEvent } from './event/cloud-event.ts';
export * from './event/new-event.ts';
export {
  authorizePatterns,
  coveredTypes,
  type EventReader,
  parseEventPatterns,
  readableEventTypes,
  validatePatterns,
  WEBHOOK_TYPES_MAX,
} from './event/patterns.ts';
export * from './event/table.ts';
export { APPROVING_CAPABILITIES, gainsApproval } from './exception/approving.ts';
export { conflictingItems, type HeldGraph } from './exception/held-conflict.ts';
export { IDENTITY_TIE_HOURS, type IdentityTie, identitiesTied, tiedUntil } from './exception/identity-ties.ts';
export * from './exception/sod-exception.ts';
export * from './exception/terms.ts';
export * from './import/plan.ts';
export { recordImport } from './import/record-changes.ts';
export * from './import/records.ts';
export {
  type IdsByKind,
  type ImportFootprint,
  importFootprint,
  KIND_OF_ACCESS,
} from './import/references.ts';
export { type SignInEnds, signInEndsOf } from './import/sign-in-ends.ts';
export * from './json-patch/apply.ts';
export * from './json-patch/parse.ts';
export { changeLintRulebook, compileLintRulebook, createLintCompiler } from './lint/compile.ts';
export * from './lint/finding.ts';
export type { LintFocus } from './lint/focus.ts';
export { lintRulebookBytes } from './lint/memory-size.ts';
export type { LintRulebook } from './lint/rulebook.ts';
export { firstFindings, IMPORT_WARNINGS_MAX, type LintRequest, lintInFocus, lintPolicies } from './lint/run.ts';
export { accessHoldersOf, type Bundles, type Givers, giversOf, refKey } from './look-up/holders.ts';
export { listIdentity, type NameOf, showAccessProfile, showIdentity, showRole } from './look-up/present.ts';
export type {
  AccessHolder,
  ListedIdentity,
  ShownAccessProfile,
  ShownAssignment,
  ShownIdentity,
  ShownRole,
  ViolationCounts,
} from './look-up/records.ts';
export {
  addTextCodes,
  addValueCode,
  codeOfValue,
  codesOfBeginning,
  codesOfPart,
  type SearchField,
  searchSeed,
} from './look-up/search-codes.ts';
export { type AddressBytes, parseAddress } from './network/address-bytes.ts';
export { type AddressRanges, compileRanges, isAddressRange, isInRanges } from './network/ranges.ts';
export { SPECIAL_IPV4, SPECIAL_IPV6 } from './network/special-addresses.ts';
export { validateAddress } from './network/validate-address.ts';
export { normalizePassword } from './password/normalize.ts';
export * from './password/validate-new.ts';
export * from './policy/model.ts';
export { parseSodPolicyPatch, patchSodPolicy } from './policy/patch.ts';
export * from './policy/presentation.ts';
export { placedItems, validateAddedReferences, validateSodPolicy } from './policy/validation.ts';
export { compileGivers } from './population/access-givers.ts';
export {
  type AssignmentIndex,
  type AssignmentIndexWriter,
  assignmentIndexBytes,
  createAssignmentIndexWriter,
  holdersOf,
} from './population/assignment-index.ts';
export {
  compilePolicyTables,
  createDryRunEvaluator,
  createGainEvaluator,
  createScanEvaluator,
  type EmitViolation,
  enforcedPlaces,
  type ReportEvaluator,
} from './population/evaluators.ts';
export {
  type ConflictFinder,
  createConflictFinder,
  createFinderMemory,
  type FinderMemory,
} from './population/find-conflicts.ts';
export type { Gain, HeldAccessLists } from './population/policy-holders.ts';
export * from './population/report.ts';
export {
  type ReportedSides,
  type ReportLine,
  type ReportPolicy,
  showReportLine,
} from './population/report-policy.ts';
export { evaluateTemporal, heldIntervals, type PendingViolations } from './population/temporal.ts';
export { validateBlastRadius } from './population/validate-blast-radius.ts';
export {
  type DryRunBase,
  dryRunIssues,
  dryRunReferenceIssues,
  hasUnresolvedItem,
} from './population/validate-dry-run.ts';
export { type AccessState, accessStatesOf } from './predictions/access-states.ts';
export * from './predictions/check.ts';
export * from './predictions/check-result.ts';
export type { Explanation } from './predictions/context-json.ts';
export {
  type ApprovedException,
  coverageOf,
  coveringOf,
  covers,
  type ExceptionCoverage,
} from './predictions/coverage.ts';
export type { AccessSource } from './predictions/path-origins.ts';
export { type Prediction, type PredictionRequest, predict } from './predictions/predict.ts';
export {
  batchLineFrame,
  explainedPredictionJson,
  type FoundPrediction,
  type PredictionParts,
  policyIdsOf,
  predictionJson,
} from './predictions/answer-json.ts';
export type { AccessGraph, AccessPath, AccessReason, NamedAccessRef } from './predictions/reasons.ts';
export {
  createRemediationSearch,
  type Remediation,
  type RemediationSearch,
  remediate,
} from './predictions/remediation.ts';
export type {
  CoveringException,
  KOfNConflict,
  NamedViolationSide,
  PolicyAdvice,
  TwoSidedConflict,
  ViolatedPolicyRef,
  ViolationContext,
  ViolationItem,
  ViolationPrediction,
  ViolationSide,
} from './predictions/violation-context.ts';
export { type HeldViolation, heldViolationOf, heldViolationsAt } from './register/held-violations.ts';
export { nextInstantAfter } from './register/next-instant.ts';
export { policyTermsOf } from './register/policy-terms.ts';
export * from './register/reassign.ts';
export * from './register/trend.ts';
export * from './register/violation.ts';
export { describeError, type ErrorDescription } from './result/describe-error.ts';
export * from './result/failure.ts';
export { CAUSES_MAX, failureOf, type Issue } from './result/issue.ts';
export * from './result/result.ts';
export { knownTextRule } from './result/suggestion.ts';
export { directionIssueText } from './result/text.ts';
export { utf8Length } from './result/utf8-length.ts';
export {
  createCatalogueCompiler,
  entitlementAt,
  type SodCatalogue,
  type SodEntitlement,
} from './rulebook/catalogue.ts';
export { changePolicies, type PolicyChanges } from './rulebook/change-policies.ts';
export { sodIndexBytes } from './rulebook/memory-size.ts';
export { createPolicyCompiler, type PolicyPlace, type ViolatedPolicy } from './rulebook/policy-table.ts';
export { compileSodIndex, createSodIndex, type SodIndex } from './rulebook/sod-index.ts';
export * from './sign-in/decision.ts';
export * from './sign-in/dry-run.ts';
export * from './sign-in/guard-rail.ts';
export * from './sign-in/lockout-config.ts';
export * from './sign-in/manage-credentials.ts';
export * from './sign-in/network-config.ts';
export * from './sign-in/session-config.ts';
export * from './sign-in/settings.ts';
export { type CoveringRights, type PresentRights, webhookReaderOf } from './webhook/coverage.ts';
export * from './webhook/retry-delay.ts';
export { addressInHost, type UrlParts, validateTarget, WEBHOOK_URL_LENGTH_MAX } from './webhook/target.ts';
export * from './webhook/webhook.ts';
