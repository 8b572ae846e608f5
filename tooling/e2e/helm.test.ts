import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@access-admin/harness';
import { beforeEach, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const CHART = join(ROOT, 'deploy/helm/access-admin');
const hasHelm = spawnSync('helm', ['version']).status === 0;

beforeEach((context) => {
  if (!hasHelm) context.skip('this machine has no helm on its PATH');
});

const helm = (...args: readonly string[]) => spawnSync('helm', args, { encoding: 'utf8' });

/** The objects of a release named `try`, each with its kind and name. */
function render(...settings: readonly string[]) {
  const { status, stdout, stderr } = helm('template', 'try', CHART, ...settings.flatMap((each) => ['--set', each]));
  expect([status, stderr]).toEqual([0, '']);
  const objects = parseAllDocuments(stdout).map((document) => document.toJS());
  return {
    names: objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort(),
    get: (kind: string, name: string) =>
      objects.find((object) => object.kind === kind && object.metadata.name === name) ??
      expect.fail(`no ${kind} ${name}`),
  };
}

test('the linter of Helm finds nothing', () => {
  expect(helm('lint', '--strict', CHART)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(' 0 chart(s) failed'),
  });
});

test('by default there are API and workers, each with a budget of disruptions, one Service, and no Secret or hook', () => {
  expect(render().names).toEqual([
    'Deployment try-access-admin-api',
    'Deployment try-access-admin-worker',
    'NetworkPolicy try-access-admin',
    'PodDisruptionBudget try-access-admin-api',
    'PodDisruptionBudget try-access-admin-worker',
    'Service try-access-admin',
    'ServiceAccount try-access-admin',
  ]);
});

test.each(['api', 'worker'])(
  'a pod of the %s may do nothing that it need not, and its probes have their ports',
  (component) => {
    const { spec } = render().get('Deployment', `try-access-admin-${component}`);
    const pod = spec.template.spec;
    const [container] = pod.containers;
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      envFrom: [{ secretRef: { name: 'access-admin' } }],
      resources: { requests: { memory: expect.any(String) }, limits: { memory: expect.any(String) } },
    });
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const ports = container.ports.map(({ name }: { name: string }) => name);
    for (const probe of [
      container.startupProbe,
      container.livenessProbe,
      container.readinessProbe ?? container.livenessProbe,
    ]) {
      expect(ports).toContain(probe.httpGet.port);
      expect(['/healthz', '/readyz']).toContain(probe.httpGet.path);
    }
  },
);

test('the Service and the Ingress lead to the API alone', () => {
  const release = render(
    'baseAddress=https://access.example.org:8443',
    'ingress.enabled=true',
    'ingress.tlsSecret=tls',
  );
  const api = release.get('Deployment', 'try-access-admin-api').spec.template.metadata.labels;
  const worker = release.get('Deployment', 'try-access-admin-worker').spec.template.metadata.labels;
  const { selector } = release.get('Service', 'try-access-admin').spec;
  expect(api).toMatchObject(selector);
  expect(worker).not.toMatchObject(selector);
  expect(release.get('Ingress', 'try-access-admin').spec).toMatchObject({
    tls: [{ hosts: ['access.example.org'], secretName: 'tls' }],
    rules: [{ host: 'access.example.org', http: { paths: [{ backend: { service: { name: 'try-access-admin' } } }] } }],
  });
});

test.each(['baseAddress=nonsense', 'api.replicas=two', 'secretKey=x', 'env.SECRET_KEY=x', 'image.digest=latest'])(
  'the value %s is refused',
  (setting) => {
    const { status, stderr } = helm('template', 'try', CHART, '--set', setting);
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining("values don't meet the specifications of the schema"),
    ]);
  },
);
