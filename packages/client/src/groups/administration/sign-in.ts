import type { SignInDecision } from '@access-admin/contract';
import { jsonBody } from '../../http/json-body.ts';
import { createResourceCall, type ResourceCall } from '../../http/resource-call.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';

/** A sign-in to be decided on: of an identity by its id, or by its username. */
export type SignInQuestion = ({ readonly identityId: string } | { readonly username: string }) & {
  /** The address from which it signs in, IPv4 or IPv6. */
  readonly ip: string;
  /** Two capital letters; that of the address, where the service knows it, if left out. */
  readonly country?: string | null;
  /** The instant at which a lock counts, ISO 8601; now if left out. */
  readonly at?: string | null;
};

/** Signing in. */
export interface SignIn {
  /** Says what signing in would do, without signing in (decide-sign-in-v1). */
  decide(question: SignInQuestion, options?: CallOptions): ResourceCall<SignInDecision>;
}

/** Builds the operations on signing in. */
export function createSignIn(transport: Transport): SignIn {
  return {
    decide: (question, options) => {
      const body = jsonBody(question);
      const call = { method: 'POST', path: '/sign-in/v1/decision', body, repeatable: true, options } as const;
      return createResourceCall(transport.call<SignInDecision>(call));
    },
  };
}
