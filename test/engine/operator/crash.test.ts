import { expect } from 'chai'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { Project } from '../../../src/engine/operator/project.ts'
import { long } from '../../support/long-tests.ts'
import { DEATHS, type Death, mortal } from '../../support/mortal-client.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, SECRET, WIDGET } from '../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - name: Settings
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${metadata.name}-settings" }
      data: { value: "\${spec.value}" }
  - name: Password
    ensure:
      apiVersion: v1
      kind: Secret
      metadata: { name: "\${metadata.name}-password" }
      stringData: { value: "\${spec.value}" }
  - name: Remote
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${metadata.name}-remote", namespace: shared }
  - name: Foreign
    patch:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: foreign }
      data: { value: "\${spec.value}" }
  - name: Value
    status: { value: "\${spec.value}" }
`
const WATCHES = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: [shared]}\n'

describe('An operator that dies at any of its writes', () => {
  for (const death of DEATHS) {
    long.it(`${death} is followed by one that ends in the same objects, with nothing doubled`, async function () {
      this.timeout(60_000)
      const project = await projectOf({ widget: ROLE }, WATCHES)
      let survived = false
      for (let write = 1; !survived; write++) survived = await liveAndDie(project, write, death)
    })
  }
})

/** One life that ends at a write, and a second one. True: the first life had no such write. */
async function liveAndDie(project: Project, lastWrite: number, death: Death): Promise<boolean> {
  const sandbox = await OperatorSandbox.start({ workloads: false })
  try {
    await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } })
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'foreign' }, data: { own: 'x' } })
    const { client, isDead } = mortal(sandbox.client, { lastWrite, death })
    sandbox.run(project, { client })
    await sandbox.widget('w', { value: 'one' })
    const isOver = async (): Promise<boolean> => isDead() || (await sandbox.condition('Ready'))?.status === 'True'
    await sandbox.until(isOver, (over) => over)
    await sandbox.halt()
    sandbox.run(project)
    await sandbox.ready('Ready')
    await sandbox.settled()
    await expectTheEnd(sandbox)
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    await expectNothingLeft(sandbox)
    return !isDead()
  } finally {
    await sandbox.stop()
  }
}

async function expectTheEnd(sandbox: OperatorSandbox): Promise<void> {
  const maps = await all(sandbox, CONFIG_MAP)
  expect(maps).to.deep.equal({
    'default/foreign': { own: 'x', value: 'one' },
    'default/w-settings': { value: 'one' },
    'shared/w-remote': undefined,
  })
  expect(await all(sandbox, SECRET)).to.deep.equal({ 'default/w-password': { value: 'b25l' } })
  const widget = (await sandbox.get(WIDGET, 'w')) as KubeObject
  expect(widget.metadata.finalizers).to.deep.equal(['rolebook.dev/finalizer'])
  expect(widget.status).to.include({ value: 'one', observedGeneration: 1 })
}

async function expectNothingLeft(sandbox: OperatorSandbox): Promise<void> {
  const rest = await sandbox.until(
    async () => ({ ...(await all(sandbox, CONFIG_MAP)), ...(await all(sandbox, SECRET)) }),
    (objects) => Object.keys(objects).length === 1,
  )
  expect(rest).to.deep.equal({ 'default/foreign': { own: 'x' } })
}

/** Data by name, without what the cluster and the ledger have. */
async function all(sandbox: OperatorSandbox, gvk: typeof CONFIG_MAP): Promise<Record<string, unknown>> {
  const { items } = await sandbox.client.list(gvk)
  const ours = items.filter(
    ({ metadata: { namespace = '', name = '' } }) =>
      !namespace.startsWith('kube-') && name !== 'kube-root-ca.crt' && name !== 'rolebook-ledger',
  )
  return Object.fromEntries(ours.map(({ metadata, data }) => [`${metadata.namespace}/${metadata.name}`, data]))
}
