import { EVENT_TYPES } from '@access-admin/domain';
import type { GenericSchema } from 'valibot';
import { identityWithNewAccess } from '../new-access/schema.ts';
import { exportedRecord, importResult } from '../schemas/access-model.ts';
import { auditEvent, auditHead } from '../schemas/administration/audit-events.ts';
import { authProfile, authProfileSummary } from '../schemas/administration/auth-profiles.ts';
import { authUser } from '../schemas/administration/auth-users.ts';
import { credentials } from '../schemas/administration/credentials.ts';
import {
  newOauthClient,
  oauthClient,
  oauthClientWithSecret,
  secretRotation,
} from '../schemas/administration/oauth-clients.ts';
import { currentSession, newSignInLink, session, signInLink } from '../schemas/administration/sessions.ts';
import { signInDecision, signInDryRun, signInQuestion } from '../schemas/administration/sign-in-decision.ts';
import {
  lockoutConfig,
  networkConfig,
  newNetworkConfig,
  sessionConfig,
} from '../schemas/administration/sign-in-settings.ts';
import { tenantUiMetadata, tenantUiMetadataUpdate } from '../schemas/administration/ui-metadata.ts';
import {
  disabledWebhook,
  newWebhook,
  webhook,
  webhookDelivery,
  webhookWithSecret,
} from '../schemas/administration/webhooks.ts';
import { control, controlFields } from '../schemas/controls.ts';
import { capabilitiesChange, cloudEvent, eventReference, importedCounts, signInEvent } from '../schemas/events.ts';
import { accessProfile, entitlement, identity, identityProfile, role } from '../schemas/look-ups.ts';
import { newSodException, sodException } from '../schemas/sod-exceptions.ts';
import { finding } from '../schemas/sod-lint.ts';
import { sodPolicy, sodPolicyFields } from '../schemas/sod-policies.ts';
import {
  blastRadiusRequest,
  dryRunRequest,
  reportViolation,
  sodReport,
  startedReport,
} from '../schemas/sod-reports.ts';
import {
  batchResult,
  sodCheck,
  sodViolationCheck,
  violationContext,
  violationPrediction,
} from '../schemas/sod-violations.ts';
import { appliedControl, sodViolation, violationSummary } from '../schemas/violations.ts';
import { errorResponse } from '../validation/error-response.ts';
import { jsonSchema, type NamedSchemas } from '../validation/json-schema.ts';

/** The schemas of requests that the document names. The service document's names are kept. */
const REQUESTS: NamedSchemas = {
  BlastRadiusRequest: blastRadiusRequest,
  ControlFields: controlFields,
  DryRunRequest: dryRunRequest,
  Identitywithnewaccess: identityWithNewAccess,
  NewNetworkConfig: newNetworkConfig,
  NewOAuthClient: newOauthClient,
  NewSignInLink: newSignInLink,
  NewSodException: newSodException,
  NewWebhook: newWebhook,
  SecretRotation: secretRotation,
  SignInQuestion: signInQuestion,
  SodPolicyFields: sodPolicyFields,
  Tenantuimetadataitemupdaterequest: tenantUiMetadataUpdate,
};

/** The same of answers. */
const RESPONSES: NamedSchemas = {
  AccessProfile: accessProfile,
  AppliedControl: appliedControl,
  AuditEvent: auditEvent,
  AuditHead: auditHead,
  Authprofile: authProfile,
  Authprofilesummary: authProfileSummary,
  Authuser: authUser,
  BatchResult: batchResult,
  Control: control,
  Credentials: credentials,
  CurrentSession: currentSession,
  CapabilitiesChange: capabilitiesChange,
  DisabledWebhook: disabledWebhook,
  Entitlement: entitlement,
  Error: errorResponse,
  Event: cloudEvent,
  EventReference: eventReference,
  ExportedRecord: exportedRecord,
  Identity: identity,
  IdentityProfile: identityProfile,
  ImportedCounts: importedCounts,
  ImportResult: importResult,
  LockoutConfig: lockoutConfig,
  NetworkConfig: networkConfig,
  OAuthClient: oauthClient,
  OAuthClientWithSecret: oauthClientWithSecret,
  PolicyFinding: finding,
  Session: session,
  SessionConfig: sessionConfig,
  SignInDecision: signInDecision,
  SignInDryRun: signInDryRun,
  SignInEvent: signInEvent,
  Role: role,
  SignInLink: signInLink,
  SodCheck: sodCheck,
  SodException: sodException,
  SodPolicy: sodPolicy,
  SodReport: sodReport,
  SodReportViolation: reportViolation,
  SodViolation: sodViolation,
  Sodviolationcheck: sodViolationCheck,
  StartedSodReport: startedReport,
  Tenantuimetadataitemresponse: tenantUiMetadata,
  ViolationContext: violationContext,
  Violationprediction: violationPrediction,
  ViolationSummary: violationSummary,
  Webhook: webhook,
  WebhookDelivery: webhookDelivery,
  WebhookWithSecret: webhookWithSecret,
};

const named = { input: REQUESTS, output: RESPONSES };

/** The schema as the document has it: a reference where it has a name. */
export const referTo = (schema: GenericSchema, typeMode: 'input' | 'output'): Readonly<Record<string, unknown>> =>
  jsonSchema(schema, typeMode, namedSchemasOf(typeMode));

/** The name of a schema, for descriptions of lines. */
export const nameOf = (schema: GenericSchema, typeMode: 'input' | 'output'): string | undefined =>
  Object.entries(namedSchemasOf(typeMode)).find(([, each]) => each === schema)?.[0];

/** `components.schemas` of the document, without the forms that are not made from a schema. */
export function namedSchemas(): Readonly<Record<string, unknown>> {
  const schemas = Object.fromEntries(
    (['input', 'output'] as const).flatMap((typeMode) => {
      const named = namedSchemasOf(typeMode);
      return Object.entries(named).map(([name, schema]) => {
        const { [name]: _, ...others } = named;
        return [name, jsonSchema(schema, typeMode, others)] as const;
      });
    }),
  );
  return { ...schemas, Event: eventSchema(eventDataSchemas()) };
}

/** The schema of an event with data of one of these schemas. */
export function eventSchema(dataSchemas: readonly string[], narrowed: object = {}): Readonly<Record<string, unknown>> {
  const event = Object(jsonSchema(cloudEvent, 'output', {}));
  const data = { anyOf: dataSchemas.map((name) => ({ $ref: `#/components/schemas/${name}` })) };
  return { ...event, properties: { ...event.properties, ...narrowed, data } };
}

/** The schemas of the data of events: of all resources, and of the reference in place of a large one. */
const eventDataSchemas = (): readonly string[] => {
  const names = new Set<string>(Object.values(EVENT_TYPES).map(({ dataSchema }) => dataSchema));
  return [...names, 'EventReference'];
};
