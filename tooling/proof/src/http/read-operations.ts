import type { HttpCaller } from './http-caller.ts';

/** An operation as the running service describes it. */
export interface ServedOperation {
  /** The operation id; method and path where there is none. */
  readonly id: string;
  readonly method: string;
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** Of the body that it takes; null where it takes none. */
  readonly mediaType: string | null;
  readonly isExperimental: boolean;
  readonly isList: boolean;
}

/** What the service says that it serves. */
export interface ServedApi {
  /** Those that need a token, or do not say that they need none. */
  readonly operations: readonly ServedOperation[];
  /** Method and path of the others. */
  readonly open: readonly string[];
  readonly scopes: readonly string[];
}

interface Described {
  readonly operationId?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: {
    readonly securitySchemes: {
      readonly oauth: { readonly flows: { readonly clientCredentials: { readonly scopes: object } } };
    };
  };
}

/** Reads /openapi.json of a service. */
export async function readOperations(caller: HttpCaller): Promise<ServedApi> {
  const { text } = await caller.send({ method: 'GET', path: '/openapi.json', headers: {}, body: null });
  const { paths, components }: OpenApiDocument = JSON.parse(text);
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, item]) => ({ path, method: method.toUpperCase(), item })),
  );
  const isOpen = ({ item }: (typeof described)[number]) => item.security?.length === 0;
  return {
    operations: described
      .filter((each) => !isOpen(each))
      .map(({ path, method, item: { operationId, parameters = [], requestBody } }) => ({
        id: operationId ?? `${method} ${path}`,
        method,
        path,
        mediaType: requestBody === undefined ? null : (Object.keys(requestBody.content)[0] ?? null),
        isExperimental: parameters.some(({ name }) => name.toLowerCase() === 'x-service-experimental'),
        isList: parameters.some(({ name }) => name === 'limit'),
      })),
    open: described.filter(isOpen).map(({ path, method }) => `${method} ${path}`),
    scopes: Object.keys(components.securitySchemes.oauth.flows.clientCredentials.scopes),
  };
}
