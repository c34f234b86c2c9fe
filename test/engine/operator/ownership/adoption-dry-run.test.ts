import { expect } from 'chai'
import { type LogFields, type Logger, nopLogger } from '../../../../src/core/base/logger.ts'
import { gvkOf } from '../../../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { contentOf } from '../../../../src/engine/reconcile/trace/run-tracer.ts'
import { whatIf } from '../../../../src/rolebook/cli/what-if/what-if.ts'
import { ADOPTION_CASES, type AdoptionCase, configMap } from '../../../support/adoption-cases.ts'
import { OperatorSandbox, projectOf } from '../../../support/operator-sandbox.ts'

const cases: readonly AdoptionCase[] = [
  ...ADOPTION_CASES,
  {
    name: 'fields of a kind whose schema is open',
    made: {
      apiVersion: 'example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'it' },
      spec: { a: { b: 1, c: 2 }, d: [1] },
    },
    wanted: { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'it' }, spec: { a: { b: 1 } } },
  },
]

describe('what a dry run says of an adoption', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  for (const { name, made, others, wanted } of cases) {
    it(`is what comes of it: ${name}`, async () => {
      const { gvk, live } = await make(made)
      if (others) await sandbox.apply(others)
      const watches =
        '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {write: ["*"]}}\n'
      const project = await projectOf({ widget: roleOf(wanted) }, watches)
      await sandbox.widget('w')
      const before = await live()
      const { connection } = sandbox.cluster
      const { signal } = new AbortController()
      const foreseen = await whatIf(project, { connection, logger: nopLogger, operatorNamespace: 'default', signal })
      expect(await live(), 'stored').to.deep.equal(before)
      expect(foreseen.settled).to.equal(true)
      const object = foreseen.resources.flatMap(({ objects }) => objects).find(({ now }) => now?.kind === gvk.kind)
      sandbox.run(project)
      await sandbox.ready('Ready')
      await sandbox.settled()
      const adopted = await live()
      expect(contentOf(object?.now as KubeObject)).to.deep.equal(contentOf(adopted))
      expect(ownersOf(object?.now as KubeObject)).to.deep.equal(ownersOf(adopted))
    })
  }

  it('names what would be removed, also in the log of an operator that writes nothing', async () => {
    await make(configMap({ a: 'one', b: 'two' }))
    const said: string[] = []
    const info = (message: string, { object, fields }: LogFields = {}): void =>
      void said.push(`${message} ${object} ${fields}`)
    const logger: Logger = { ...nopLogger, info, child: () => logger }
    await sandbox.widget('w')
    sandbox.run(await projectOf({ widget: roleOf(configMap({ a: 'one' })) }), { logger, dryRun: true })
    const [line] = await sandbox.until(
      async () => said.filter((one) => one.includes('default/it')),
      (lines) => lines.length > 0,
    )
    expect(line).to.match(/^dry run: would change default\/it metadata\..*,data\.b$/)
  })

  /** As `kubectl apply` makes it. */
  async function make(object: KubeObject) {
    const namespace = object.kind === 'Gadget' ? {} : { namespace: 'default' }
    const placed = { ...object, metadata: { ...object.metadata, ...namespace } }
    await sandbox.client.create(placed, { fieldManager: 'kubectl-client-side-apply' })
    const gvk = gvkOf(object)
    return { gvk, live: async () => (await sandbox.get(gvk, 'it')) as KubeObject }
  }
})

function roleOf(wanted: KubeObject): string {
  const namespace = wanted.kind === 'Gadget' ? {} : { namespace: 'default' }
  const ensure = { ...wanted, metadata: { ...wanted.metadata, ...namespace } }
  return `tasks:\n  - {ensure: ${JSON.stringify(ensure)}, adopt: {from: [kubectl]}, readyWhen: true}\n`
}

function ownersOf({ metadata }: KubeObject): readonly unknown[] {
  return (metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => [manager, operation, fieldsV1])
}
