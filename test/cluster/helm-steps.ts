import type { JsonObject } from '../../src/core/base/json.ts'
import type { ClientServer } from './client-server.ts'

/** A command line of helm, or what another client does in between. */
export type HelmStep =
  | { readonly name: string; readonly args: readonly string[] }
  | { readonly name: string; readonly act: (server: ClientServer, namespace: string) => Promise<void> }

const WAIT = ['--wait', '--timeout', '300s']
const GROWN = 'text=again,replicas=3,secondPort=81,files.style=black,environment[0].name=A,environment[0].value=one'

/** A release's life. `chart` is the folder of the chart. */
export function helmSteps(chart: string, serverSide: boolean): readonly HelmStep[] {
  const side = serverSide ? [] : ['--server-side=false']
  return [
    { name: 'is installed', args: ['install', 'web', chart, ...WAIT, ...side] },
    { name: 'is installed again', args: ['install', 'web', chart, ...side] },
    ...questions('once installed'),
    { name: 'is upgraded', args: ['upgrade', 'web', chart, '--set', GROWN, ...WAIT, ...side] },
    { name: 'grows', args: ['upgrade', 'web', chart, '--set', `${GROWN},extras=true`, ...WAIT, ...side] },
    { name: 'is upgraded to the same', args: ['upgrade', 'web', chart, '--reuse-values', ...WAIT, ...side] },
    ...questions('once upgraded'),
    { name: 'is changed by hand', act: changeByHand },
    {
      name: 'is upgraded after a change by hand',
      args: ['upgrade', 'web', chart, '--reuse-values', '--set', 'replicas=4', ...WAIT, ...side],
    },
    ...(serverSide ? serverSideOnly(chart) : clientSideOnly(chart)),
    { name: 'gets a refused port', args: ['upgrade', 'web', chart, '--set', 'port=70000', ...WAIT, ...side] },
    { name: 'is tried', args: ['upgrade', 'web', chart, '--set', 'replicas=2', '--dry-run=server', ...side] },
    { name: 'is rolled back', args: ['rollback', 'web', '1', ...WAIT] },
    ...questions('once rolled back'),
    { name: 'would take what is not its own', act: createForeign },
    { name: 'may not take what is not its own', args: ['install', 'other', chart, ...side] },
    { name: 'takes what is not its own', args: ['install', 'other', chart, '--take-ownership', ...WAIT, ...side] },
    // Without `--wait`: helm gives up at once when all else has gone before it sees the Deployment.
    { name: 'is uninstalled in the foreground', args: ['uninstall', 'other', '--cascade', 'foreground'] },
    { name: 'is uninstalled, its history kept', args: ['uninstall', 'web', '--keep-history', ...WAIT] },
    { name: 'is listed once uninstalled', args: ['list', '--all', '--output', 'json'] },
    { name: 'is forgotten', args: ['uninstall', 'web', ...WAIT] },
    { name: 'is asked for once forgotten', args: ['status', 'web'] },
  ]
}

function questions(when: string): readonly HelmStep[] {
  return [
    { name: `is listed ${when}`, args: ['list'] },
    { name: `has a history ${when}`, args: ['history', 'web', '--output', 'json'] },
    { name: `has a status ${when}`, args: ['status', 'web'] },
    { name: `has values and manifests ${when}`, args: ['get', 'all', 'web'] },
  ]
}

function serverSideOnly(chart: string): readonly HelmStep[] {
  const change = ['--reuse-values', '--set', 'replicas=4', '--force-conflicts']
  return [{ name: 'is forced over a change by hand', args: ['upgrade', 'web', chart, ...change, ...WAIT] }]
}

function clientSideOnly(chart: string): readonly HelmStep[] {
  const change = ['--reuse-values', '--set', 'text=replaced', '--server-side=false']
  return [
    { name: 'is replaced', args: ['upgrade', 'web', chart, ...change, '--force-replace', ...WAIT] },
    {
      name: 'goes over to the server side',
      args: ['upgrade', 'web', chart, '--reuse-values', '--server-side=true', '--force-conflicts', ...WAIT],
    },
    { name: 'goes back to the client side', args: ['upgrade', 'web', chart, ...change, ...WAIT] },
  ]
}

async function changeByHand(server: ClientServer, namespace: string): Promise<void> {
  const patches: readonly (readonly [string, JsonObject])[] = [
    [`/apis/apps/v1/namespaces/${namespace}/deployments/web`, { spec: { replicas: 2 } }],
    [`/api/v1/namespaces/${namespace}/configmaps/web`, { data: { extra: 'by hand', 'index.html': 'defaced' } }],
  ]
  for (const [path, body] of patches) await server.send('PATCH', path, body, 'application/merge-patch+json')
}

async function createForeign(server: ClientServer, namespace: string): Promise<void> {
  const foreign = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other' }, data: { own: 'kept?' } }
  await server.send('POST', `/api/v1/namespaces/${namespace}/configmaps`, foreign)
}
