import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { compileTemplate } from '../../../src/engine/expression/compile-template.ts'
import { SECRET_MARK } from '../../../src/engine/expression/flow/flow.ts'
import type { WatchSource } from '../../../src/engine/operator/watching/watched-informers.ts'
import { changesBetween, printChange, RunTracer } from '../../../src/engine/reconcile/trace/run-tracer.ts'
import { ROLE_FUNCTIONS } from '../../../src/engine/role/functions/functions.ts'
import { Secrecy } from '../../../src/engine/role/secrecy/secrecy.ts'
import { trackedTemplate } from '../../../src/engine/role/secrecy/tracked-template.ts'
import { valueFlow } from '../../../src/engine/role/secrecy/value-flow.ts'
import { RequestCounter } from '../../../src/engine/runtime/counting-client.ts'
import { kubeconfigOf, ownNamespace } from '../../../src/rolebook/cli/cluster-options.ts'
import { printDiff } from '../../../src/rolebook/cli/diff/print-diff.ts'
import { diffOf, type ResourceDiff } from '../../../src/rolebook/cli/diff/resource-diff.ts'
import { isSandboxOf, localOperatorOf, recordOfSandbox } from '../../../src/rolebook/cli/local-operator.ts'
import type { WhatIfObject } from '../../../src/rolebook/cli/what-if/what-if.ts'
import { WhatIfResources } from '../../../src/rolebook/cli/what-if/what-if-caches.ts'
import { WhatIfClient } from '../../../src/rolebook/cli/what-if/what-if-client.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { CONFIG_MAP } from '../../support/operator-sandbox.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const REQUEST = { group: 'example.com', kind: 'Widget', namespace: 'default', name: 'w' }

function object(metadata: KubeObject['metadata'], more: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default', ...metadata }, ...more }
}

const diffOfOne = (one: WhatIfObject): readonly unknown[] => {
  const resource = { request: REQUEST, report: undefined, traces: [], objects: [one] }
  const [diff] = diffOf({ resources: [resource], secrecy: new Secrecy(), settled: true }, { longest: 80 })
  return diff?.objects ?? []
}

describe('the difference of an object', () => {
  const head = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a' }
  const mark = { annotations: { 'rolebook.dev/applied': 'x' } }
  const cases: readonly { name: string; one: WhatIfObject; found: readonly unknown[] }[] = [
    { name: 'that stays as it is: none', one: { base: object({}), now: object({}), task: undefined }, found: [] },
    { name: 'that never was: none', one: { base: undefined, now: undefined, task: undefined }, found: [] },
    {
      name: 'in what the server keeps: none',
      one: { base: object({ resourceVersion: '1' }), now: object({ resourceVersion: '2' }), task: undefined },
      found: [],
    },
    {
      name: 'in our marks: no field',
      one: { base: object({}), now: object(mark), task: undefined },
      found: [{ ...head, action: 'change', fields: [] }],
    },
    {
      name: 'that is new: its manifest without our marks',
      one: {
        base: undefined,
        now: object({
          labels: { l: '1', 'rolebook.dev/owner-uid': 'u' },
          annotations: { a: '1', ...mark.annotations },
        }),
        task: undefined,
      },
      found: [
        {
          ...head,
          action: 'create',
          manifest: {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'a', namespace: 'default', labels: { l: '1' }, annotations: { a: '1' } },
          },
        },
      ],
    },
  ]
  for (const { name, one, found } of cases) it(name, () => expect(diffOfOne(one)).to.deep.equal(found))

  it('has its fields in the order of their names', () => {
    const changes = changesBetween(object({}, { c: 1, a: 1, b: 1 }), object({}, { b: 2, c: 2, a: 2 }))
    expect(changes.map(({ field }) => field)).to.deep.equal(['a', 'b', 'c'])
  })
})

describe('a change in a trace', () => {
  const task = { name: 'T', isSensitive: false, written: undefined }

  it('hides what a Secret holds, wherever it stands', () => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }
    const options = { object: secret, secrecy: new Secrecy(), task, longest: 80 }
    const shown = [['data', 'a'], ['stringData', 'a'], [], ['type']].map(
      (path) => printChange({ field: path.join('.'), path, from: 'x', to: 'y' }, options).to,
    )
    expect(shown).to.deep.equal(['(sensitive)', '(sensitive)', '(sensitive)', '"y"'])
  })

  it('shows no name of a field that is made of a Secret, however short, also when another client had changed it', () => {
    const value = { data: { '${$pin}': 'x', open: 'x' } }
    const options = { functions: ROLE_FUNCTIONS, flows: () => ({ rest: SECRET_MARK }) }
    const template = compileTemplate(value, { functions: ROLE_FUNCTIONS, needsValue: () => false })
    const written = trackedTemplate(template, valueFlow(value, [], options))
    const tracer = new RunTracer(new FakeClock(), new Secrecy())
    const trace = tracer.begin({ ...task, written }, { place: 'tasks.0', index: 0 })
    const made = (data: string): KubeObject => object({}, { data: { 42: data, open: data } })
    trace.wrote({ before: made('1'), after: made('2'), lost: [['data', '42']] })
    trace.end({ kind: 'changed' })
    const [traced] = tracer.summary.tasks[0]?.objects ?? []
    const fields = traced?.fields?.map(({ field }) => field)
    expect([fields, traced?.lost]).to.deep.equal([['data.open', "data['(sensitive)']"], ["data['(sensitive)']"]])
  })

  it('is one of ten, and the others are counted', () => {
    const data = (value: string) => Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`k${index}`, value]))
    const tracer = new RunTracer(new FakeClock(), new Secrecy())
    const trace = tracer.begin(task, { place: 'tasks.0', index: 0 })
    trace.wrote({ before: object({}, { data: data('1') }), after: object({}, { data: data('2') }) })
    trace.end({ kind: 'changed' })
    const [written] = tracer.summary.tasks[0]?.objects ?? []
    expect([written?.fields?.length, written?.more]).to.deep.equal([10, 2])
  })
})

describe('printDiff', () => {
  const diff: ResourceDiff = {
    resource: REQUEST,
    role: undefined,
    objects: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', action: 'change', fields: [] }],
    failed: false,
  }
  const SUMMARY = '\n\n1 resource: 0 to create, 1 to change, 0 to remove\n'
  const cases = [
    {
      name: 'says where only marks differ',
      color: false,
      text: 'Widget default/w\n  ~ ConfigMap a (only what rolebook keeps in it)',
    },
    {
      name: 'has colours on a terminal',
      color: true,
      text: '\u001b[1mWidget default/w\u001b[0m\n  \u001b[33m~ ConfigMap a\u001b[0m (only what rolebook keeps in it)',
    },
  ]
  for (const { name, color, text } of cases) {
    it(name, () => expect(printDiff([diff], { color })).to.equal(text + SUMMARY))
  }
})

describe('the kubeconfig of a command that looks at a cluster', () => {
  const cases = [
    { name: 'is the one that is given', given: 'g', environment: { KUBECONFIG: 'k' }, isSandbox: true, found: 'g' },
    { name: 'is the one of the environment', environment: { KUBECONFIG: 'k' }, isSandbox: true, found: 'k' },
    { name: 'is that of a sandbox in the folder', environment: {}, isSandbox: true, found: '.rolebook/kubeconfig' },
    { name: 'is left to the usual rules', environment: {}, isSandbox: false, found: undefined },
  ]
  for (const { name, given, environment, isSandbox, found } of cases) {
    it(name, () => {
      const invocation = { terminal: new FakeTerminal({ environment }), text: () => given }
      expect(kubeconfigOf(invocation, () => isSandbox)).to.equal(found)
    })
  }

  it('has a namespace, or means default', () => {
    expect([ownNamespace({ namespace: 'n' }), ownNamespace({})]).to.deep.equal(['n', 'default'])
  })
})

describe('the operator of a sandbox', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())
  const cases = [
    { name: 'is where its file says', content: '{"server": "s", "operator": "o"}', found: 'o' },
    { name: 'is none of another server', content: '{"server": "t", "operator": "o"}', found: undefined },
    { name: 'is none without an address', content: '{"server": "s"}', found: undefined },
    { name: 'is none in a list', content: '[]', found: undefined },
    { name: 'is none in a broken file', content: '{', found: undefined },
  ]
  for (const [index, { name, content, found }] of cases.entries()) {
    it(name, () => {
      const kubeconfig = join(folder.path, String(index), 'kubeconfig')
      mkdirSync(join(folder.path, String(index)))
      writeFileSync(join(folder.path, String(index), 'operator.json'), content)
      const records = [recordOfSandbox(kubeconfig)]
      expect([isSandboxOf(kubeconfig), localOperatorOf(records, 's')]).to.deep.equal([true, found])
    })
  }

  it('is the first of several that is of the server', () => {
    const records = ['t', 's', 's'].map((server, index) => {
      const path = join(folder.path, `record-${index}.json`)
      writeFileSync(path, JSON.stringify({ server, operator: `o${index}` }))
      return path
    })
    expect(localOperatorOf(records, 's')).to.equal('o1')
  })

  it('is none without a file, or a kubeconfig', () => {
    const nowhere = join(folder.path, 'nowhere/kubeconfig')
    const answers = [isSandboxOf(nowhere), localOperatorOf([recordOfSandbox(nowhere)], 's'), localOperatorOf([], 's')]
    expect(answers).to.deep.equal([false, undefined, undefined])
  })
})

describe('RequestCounter', () => {
  it('counts by verb what carries the signal of a run', async () => {
    const answer = async (): Promise<KubeObject> => object({})
    const none = (): AsyncIterable<never> => ({
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
    })
    const list = async () => ({ items: [], resourceVersion: '1' })
    const client: KubeClient = {
      get: answer,
      list,
      watch: none,
      create: answer,
      apply: answer,
      patch: answer,
      delete: answer,
    }
    const counter = new RequestCounter()
    const counted = counter.counting(client)
    const [own, other] = [new AbortController().signal, new AbortController().signal]
    const key = { namespace: 'default', name: 'a' }
    const write = { fieldManager: 'f', signal: own }
    await counted.get(CONFIG_MAP, key, { signal: own })
    await counted.get(CONFIG_MAP, key, { signal: other })
    await counted.get(CONFIG_MAP, key)
    await counted.list(CONFIG_MAP, { signal: own })
    await counted.create(object({}), write)
    await counted.apply(object({}), { ...write, force: true })
    await counted.patch(CONFIG_MAP, key, { type: 'merge', body: {} }, write)
    await counted.delete(CONFIG_MAP, key, { signal: own })
    for await (const event of counted.watch(CONFIG_MAP, { signal: own })) expect.fail(JSON.stringify(event))
    expect(counter.of(own)).to.deep.equal({ get: 1, list: 1, create: 1, apply: 1, patch: 1, delete: 1 })
    expect(counter.of(other)).to.deep.equal({ get: 1 })
    expect(counter.of(new AbortController().signal)).to.deep.equal({})
  })
})

describe('WhatIfResources', () => {
  it('come by namespace and name', async () => {
    const items = ['b', 'a', 'c'].map((name) => object({ name }))
    const list = async () => ({ items, resourceVersion: '1' })
    const entry = { gvk: CONFIG_MAP } as unknown as WatchSource['entry']
    const source = {
      entry,
      selector: undefined,
      namespaces: undefined,
      maxConcurrent: 1,
      watchDependentResources: true,
    }
    const resources = new WhatIfResources(new WhatIfClient({ list } as unknown as KubeClient), [source])
    expect((await resources.all()).map(({ metadata }) => metadata.name)).to.deep.equal(['a', 'b', 'c'])
  })

  it('say that a resource is gone when no entry selects it', async () => {
    const resources = new WhatIfResources(new WhatIfClient({} as KubeClient), [])
    expect(await resources.find(REQUEST)).to.deep.equal({ kind: 'gone' })
    expect(resources.latest(REQUEST, 'u')).to.equal(undefined)
  })
})
