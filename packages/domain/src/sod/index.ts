// The only door of the engine: other rooms import nothing of it but this.
export {
  type ExpandedAccess,
  entitlementsOf,
  expandAccess,
  expandAssignments,
  type HeldAccess,
  hasEntitlement,
  type NumberedRef,
  type TimedEntitlements,
  withEntitlements,
} from './evaluation/access.ts';
export { type AccessState, accessStatesOf } from './evaluation/access-states.ts';
export {
  type AccessRequest,
  EXPLAINED_INSTANTS_MAX,
  type Holder,
  type PendingAccess,
  type QuestionFailure,
  settleQuestion,
  validateAccessRefs,
  validateInstants,
} from './evaluation/question.ts';
export { chosenItems, type ShownItem, shownItems } from './evaluation/shown-items.ts';
export { accessInTime, sweepAssignments, sweepPolicy, sweepSides } from './evaluation/sweep-sides.ts';
export { intervalsOf } from './evaluation/timeline.ts';
export {
  type ChooseItem,
  type FoundViolations,
  findHeld,
  findViolations,
  type Violation,
} from './evaluation/violations.ts';
export {
  type FixPlan,
  type PlannedIdentity,
  type PlannedRef,
  UNSOLVABLE_REASONS,
  type UnsolvableReason,
} from './fix-plan/model.ts';
export { type FixProblem, planFixes } from './fix-plan/plan.ts';
export { type Protection, protectionOf } from './fix-plan/protection.ts';
export { stepsOf } from './fix-plan/steps.ts';
export { type Comparison, comparePolicies } from './lint/compare.ts';
export { changeLintRulebook, compileLintRulebook, createLintCompiler } from './lint/compile.ts';
export {
  focusOnAll,
  hasPolicyInFocus,
  isPolicyInFocus,
  type LintFocus,
  type NumberedFocus,
  numberFocus,
} from './lint/focus.ts';
export { lintRulebookBytes } from './lint/memory-size.ts';
export { matchableSideCount, repeatedItems, unresolvedItems } from './lint/policy-items.ts';
export type { LintRulebook } from './lint/rulebook.ts';
export { chooseScope } from './lint/scope.ts';
export { findSelfViolating } from './lint/self-violating.ts';
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
  type Gain,
  type HeldAccessLists,
  holderBatches,
} from './population/find-conflicts.ts';
export { compileGrantingRefs } from './population/granting-refs.ts';
export { isItemHeld, placeOfItem } from './population/item-code.ts';
export {
  type AccessRefTable,
  createAccessRefTable,
  findRef,
  internRef,
  refAt,
  refTableBytes,
  type TextPart,
} from './population/ref-table.ts';
export {
  type ReportedPolicy,
  type ReportedSides,
  type ReportPolicy,
  SOD_REPORT_CHANGES,
  type SodReportChange,
} from './population/report-policy.ts';
export {
  createTimedConflictFinder,
  createTimedHoldingsWriter,
  type TimedAssignment,
  type TimedGain,
  type TimedHoldings,
  timedAssignmentsOf,
} from './population/timed-conflicts.ts';
export {
  createGainSearch,
  findViolatingHolders,
  findViolatingRefs,
} from './population/violating-gains.ts';
export { type Candidate, type Conflicts, gatherConflicts } from './remediation/conflicts.ts';
export { type Choice, choose } from './remediation/smallest-set.ts';
export {
  compileSodCatalogue,
  createCatalogueCompiler,
  entitlementAt,
  type SodCatalogue,
  type SodEntitlement,
} from './rulebook/catalogue.ts';
export { changePolicies, type PolicyChanges } from './rulebook/change-policies.ts';
export { sodIndexBytes } from './rulebook/memory-size.ts';
export {
  createPolicyCompiler,
  isShownAsKOfN,
  type PolicyPlace,
  policyAt,
  policySidesAt,
  sideNamesAt,
  termsAt,
  type ViolatedPolicy,
} from './rulebook/policy-table.ts';
export { compileSodIndex, createSodIndex, findPolicy, policyPlaceAt, type SodIndex } from './rulebook/sod-index.ts';
