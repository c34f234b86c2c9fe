import { expect } from 'chai'
import { getPath } from '../../../../src/core/base/json.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const EVERYWHERE = '- {group: example.com, version: v1, kind: Widget, role: widget, allowedNamespaces: {read: ["*"]}}\n'

describe('a list that a role reads', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    for (const name of ['default', 'other'])
      await sandbox.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { seen: 'yes' } } })
    for (const namespace of ['default', 'other'])
      await sandbox.apply({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'c', namespace, labels: { seen: 'yes' } },
      })
  })
  afterEach(() => sandbox.stop())

  const cases: { name: string; list: string; watches?: string; expected: string[] }[] = [
    { name: 'stays in its own namespace', list: 'kind: ConfigMap', expected: ['default/c'] },
    {
      name: 'reaches every namespace that may be read',
      list: 'kind: ConfigMap, namespace: "*"',
      expected: ['default/c'],
    },
    {
      name: 'reaches all of them where all may be read',
      list: 'kind: ConfigMap, namespace: "*"',
      watches: EVERYWHERE,
      expected: ['default/c', 'other/c'],
    },
    {
      name: 'has no namespace for what has none',
      list: 'kind: Namespace',
      watches: EVERYWHERE,
      expected: ['/default', '/other'],
    },
    {
      name: 'takes all namespaces for none where there are none',
      list: 'kind: Namespace, namespace: "*"',
      watches: EVERYWHERE,
      expected: ['/default', '/other'],
    },
  ]
  for (const { name, list, watches, expected } of cases) {
    it(name, async () => {
      const role = `
tasks:
  - {list: {apiVersion: v1, ${list}, labels: {seen: "yes"}}, register: all}
  - status: {seen: "\${[$all.(metadata.namespace & '/' & metadata.name)]}"}
`
      sandbox.run(await projectOf({ widget: role }, watches))
      await sandbox.widget('w')
      await sandbox.ready('Ready')
      const widget = await sandbox.get(WIDGET, 'w')
      expect(getPath(widget?.status, ['seen'])).to.deep.equal(expected)
    })
  }

  it('has what is being deleted, too', async () => {
    const held = { name: 'held', labels: { seen: 'yes' }, finalizers: ['example.com/hold'] }
    await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: held })
    await sandbox.remove(CONFIG_MAP, 'held')
    const role = `
tasks:
  - {list: {apiVersion: v1, kind: ConfigMap, labels: {seen: "yes"}}, register: all}
  - status: {seen: "\${[$all.(metadata.name & ($exists(metadata.deletionTimestamp) ? ' goes' : ''))]}"}
`
    sandbox.run(await projectOf({ widget: role }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    expect(getPath((await sandbox.get(WIDGET, 'w'))?.status, ['seen'])).to.deep.equal(['c', 'held goes'])
  })
})
