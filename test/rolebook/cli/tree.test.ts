import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import { Ledger } from '../../../src/engine/reconcile/ownership/ledger.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { printTree } from '../../../src/rolebook/cli/tree/print-tree.ts'
import { readOwned } from '../../../src/rolebook/cli/tree/read-owned.ts'
import { resourceTree, type TreeNode } from '../../../src/rolebook/cli/tree/resource-tree.ts'
import { writeKubeconfig } from '../../../src/sandbox/cluster/kubeconfig.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { DEPLOYMENT, GADGET, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const PASSWORD = 'c4nary/Tr0ub4dor-9xQ'
const WATCHES = `
- { group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: { read: ["*"], write: ["*"] } }
- { group: example.com, version: v1, kind: Gadget, role: gadget, allowedNamespaces: { read: ["*"], write: ["*"] } }
`
const WIDGET_ROLE = `tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: settings } }
  - ensure: { apiVersion: v1, kind: Secret, metadata: { name: creds }, stringData: { password: ${PASSWORD} } }
  - ensure: { apiVersion: example.com/v1, kind: Gadget, metadata: { name: below }, spec: {} }
  - ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: { name: web }
      spec:
        replicas: 2
        selector: { matchLabels: { app: web } }
        template:
          metadata: { labels: { app: web } }
          spec: { containers: [{ name: web, image: nginx }] }
`
const GADGET_ROLE = `tasks:
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: of-gadget, namespace: default } }
`

const POD = { group: '', version: 'v1', kind: 'Pod' }
const REFUSAL = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'Forbidden',
  code: 403,
  message: 'you may not',
}

describe('rolebook tree', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  let sandbox: OperatorSandbox
  /** A part of the paths that may not be read. */
  let refused: string | undefined

  before(async () => {
    sandbox = await OperatorSandbox.start({
      ...{ workloads: true, tls: true },
      intercept: ({ phase, path }) =>
        phase === 'before' && refused !== undefined && path.includes(refused)
          ? { status: 403, body: REFUSAL }
          : undefined,
    })
    writeKubeconfig(folder.at('kubeconfig'), sandbox.access)
    sandbox.run(await projectOf({ widget: WIDGET_ROLE, gadget: GADGET_ROLE }, WATCHES))
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'of-nobody' } })
    await sandbox.widget('w', {})
    await sandbox.ready('Ready')
    await sandbox.ready('Ready', { gvk: GADGET, name: 'below' })
    await sandbox.settled()
  })
  after(async () => {
    await sandbox.stop()
    folder.remove()
  })

  async function tree(...args: readonly string[]) {
    const terminal = new FakeTerminal()
    const code = await runProgram(['tree', ...args, '--kubeconfig', folder.at('kubeconfig')], terminal)
    return { code, out: terminal.stdout, err: terminal.stderr }
  }

  const steady = (text: string): string =>
    text.replaceAll(/web-[0-9a-z]+(?:-[0-9a-z]+)?/g, 'web-ID').replaceAll(/ +/g, ' ')

  it('shows what the role made, what that owns in turn, and whether it is ready', async () => {
    const { code, out, err } = await tree('widget', 'w')
    expect({ code, err }).to.deep.equal({ code: 0, err: '' })
    expect(steady(out)).to.equal(`OBJECT READY STATUS WHY
Widget default/w yes
├─ ConfigMap settings yes
├─ Deployment web yes 2/2 ready
│ └─ ReplicaSet web-ID yes 2/2 ready
│ ├─ Pod web-ID yes Running 1/1
│ └─ Pod web-ID yes Running 1/1
├─ Gadget below yes
│ └─ ConfigMap default/of-gadget yes
└─ Secret creds yes
`)
  })

  it('prints the same as data, and no value of a Secret', async () => {
    const { out } = await tree('widget/w', '-o', 'json')
    const { owned } = JSON.parse(out) as TreeNode
    expect(owned.map(({ kind, name }) => `${kind} ${name}`)).to.include('Secret creds')
    expect(out).not.to.include(PASSWORD)
    expect((await tree('widget/w', '-o', 'yaml')).out).to.match(/^kind: Widget\nnamespace: default\n/)
  })

  it('says why something is not ready', async () => {
    await sandbox.edit(
      DEPLOYMENT,
      'web',
      { status: { readyReplicas: 0, availableReplicas: 0 } as JsonObject },
      'status',
    )
    const { client } = sandbox
    const resource = await sandbox.get(WIDGET, 'w')
    const ledger = new Ledger(client, 'default')
    const { mapper } = sandbox.cluster.connection
    const owned = await readOwned(resource as never, { client, mapper, ledger })
    const broken = owned.made.map((one) =>
      one.kind === 'Deployment' ? { ...one, status: { observedGeneration: one.metadata.generation ?? 1 } } : one,
    )
    const printed = printTree(resourceTree(resource as never, { ...owned, made: broken }), { color: false })
    expect(printed).to.match(/Deployment web +no +0\/2 ready +.+/)
  })

  it('reads of Secrets no more than their metadata', async () => {
    const seen: (boolean | undefined)[] = []
    const { client } = sandbox
    const watched: KubeClient = {
      ...client,
      get: client.get.bind(client),
      list: (gvk, options) => {
        if (gvk.kind === 'Secret') seen.push(options?.metadataOnly)
        return client.list(gvk, options)
      },
    }
    const { mapper } = sandbox.cluster.connection
    const resource = (await sandbox.get(WIDGET, 'w')) as never
    await readOwned(resource, { client: watched, mapper, ledger: new Ledger(client, 'default') })
    expect([...new Set(seen)]).to.deep.equal([true])
  })

  it('looks through objects of all kinds where the ledger cannot be read, and says what it could not read', async () => {
    const refusal = new ApiError(403, 'Forbidden', 'you may not')
    const { client } = sandbox
    const guarded: KubeClient = {
      ...client,
      get: client.get.bind(client),
      list: (gvk, options) => (gvk.kind === 'Secret' ? Promise.reject(refusal) : client.list(gvk, options)),
    }
    const resource = (await sandbox.get(WIDGET, 'w')) as never
    const { mapper } = sandbox.cluster.connection
    const ledger = { entryFor: () => Promise.reject(refusal) }
    const { made, unread } = await readOwned(resource, { client: guarded, mapper, ledger })
    expect(made.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).to.deep.equal([
      'ConfigMap settings',
      'Deployment web',
      'Gadget below',
    ])
    expect(unread).to.deep.equal(['Secret: you may not', 'the ledger of the operator: you may not'])
  })

  it('reads the namespace of the resource where all of them may not be read', async () => {
    const { client } = sandbox
    const narrow: KubeClient = {
      ...client,
      get: client.get.bind(client),
      list: (gvk, options) =>
        options?.namespace === undefined && gvk.kind !== 'Gadget'
          ? Promise.reject(new ApiError(403, 'Forbidden', 'not all'))
          : client.list(gvk, options),
    }
    const { mapper } = sandbox.cluster.connection
    const resource = (await sandbox.get(WIDGET, 'w')) as never
    const { made, unread } = await readOwned(resource, {
      client: narrow,
      mapper,
      ledger: new Ledger(client, 'default'),
    })
    expect(made.map(({ kind }) => kind).sort()).to.deep.equal(['ConfigMap', 'Deployment', 'Gadget', 'Secret'])
    expect(unread).to.deep.equal(['ConfigMap: not all'])
  })

  it('says which kinds it could not read, and shows the rest', async () => {
    refused = '/secrets'
    const { code, out, err } = await tree('widget', 'w')
    refused = undefined
    expect(code).to.equal(0)
    expect(err).to.match(/^cannot read Secret: .*you may not.*\n$/)
    expect(out).to.include('ConfigMap settings').and.to.not.include('Secret')
  })

  it('says nothing of a kind that is not served any more', async () => {
    const { client } = sandbox
    const gone: KubeClient = {
      ...client,
      get: client.get.bind(client),
      list: (gvk, options) =>
        gvk.kind === 'Gadget' ? Promise.reject(new ApiError(404, 'NotFound', 'gone')) : client.list(gvk, options),
    }
    const resource = (await sandbox.get(WIDGET, 'w')) as never
    const { mapper } = sandbox.cluster.connection
    const { made, unread } = await readOwned(resource, { client: gone, mapper, ledger: new Ledger(client, 'default') })
    expect(made.map(({ kind }) => kind)).to.not.include('Gadget')
    expect(unread).to.deep.equal([])
  })

  it('has the claims of a StatefulSet, which name no owner', async () => {
    const uid = '0a1b2c3d-0000-0000-0000-000000000000'
    await sandbox.apply({
      ...{ apiVersion: 'apps/v1', kind: 'StatefulSet' },
      metadata: { name: 'db', namespace: 'default', labels: { 'rolebook.dev/owner-uid': uid } },
      spec: {
        ...{ serviceName: 'db', replicas: 1, selector: { matchLabels: { app: 'db' } } },
        template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'db' }] } },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    } as never)
    const { client } = sandbox
    await sandbox.until(
      () => client.list(POD, { labelSelector: 'app=db' }),
      ({ items }) => items.length === 1,
    )
    const own = [{ group: 'apps', kind: 'StatefulSet' }]
    const ledger = { entryFor: async () => ({ own, write: [] }) } as unknown as Pick<Ledger, 'entryFor'>
    const resource = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'x', namespace: 'default', uid },
    }
    const { all } = await readOwned(resource, { client, mapper: sandbox.cluster.connection.mapper, ledger })
    expect(all.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).to.deep.equal([
      ...['StatefulSet db', 'Pod db-0', 'PersistentVolumeClaim data-db-0'],
    ])
  })

  it('says what is wrong with its arguments', async () => {
    expect(await tree('widget')).to.deep.include({ code: 2 })
    expect((await tree('widget', 'v')).err).to.equal('rolebook tree: there is no Widget default/v\n')
  })
})

describe('a tree of resources', () => {
  it('has as not ready what a controller has not seen yet', () => {
    const metadata = { name: 'w', namespace: 'default', uid: 'u', generation: 2 }
    const resource = {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata,
      status: { observedGeneration: 1 },
    } as never
    const { health, name } = resourceTree(resource, { made: [], all: [], unread: [] })
    expect([health, name]).to.deep.equal(['notReady', 'w'])
  })
})

describe('a printed tree', () => {
  it('counts what is not listed, and lets no text command the terminal', () => {
    const leaf = { owned: [], more: 0, moreUnready: 0, status: '', namespace: 'default' } as const
    const pod: TreeNode = { ...leaf, kind: 'Pod', name: 'a', health: 'failed', message: 'it has \u001b[2Jfailed' }
    const root: TreeNode = {
      ...leaf,
      kind: 'Web',
      name: 'w',
      health: 'notReady',
      message: 'not yet',
      owned: [pod],
      more: 4,
      moreUnready: 2,
    }
    expect(printTree(root, { color: false })).to.equal(`OBJECT                          READY   STATUS  WHY
Web default/w                   no              not yet
├─ Pod a                        failed          it has  [2Jfailed
└─ 4 more, 2 of them not ready
`)
  })
})
