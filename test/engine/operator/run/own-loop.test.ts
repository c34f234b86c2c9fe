import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import { long } from '../../../support/long-tests.ts'
import { DEPLOYMENT, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const LOOPS = [
  {
    name: 'a status made of what the status changes',
    role: `
tasks:
  - {list: {apiVersion: example.com/v1, kind: Widget}, register: all}
  - status: {seen: "\${$join($all.metadata.resourceVersion)}"}
`,
    what: 'status.seen',
  },
  {
    name: 'a child made of its own version',
    role: `
tasks:
  - {list: {apiVersion: v1, kind: ConfigMap}, register: all}
  - {name: Feed, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: part}, data: {seen: "\${$join($all[metadata.name='part'].metadata.resourceVersion)}"}}}
`,
    what: 'task "Feed"',
  },
  {
    name: 'two resources that answer each other',
    role: `
tasks:
  - {get: {apiVersion: example.com/v1, kind: Widget, name: "\${metadata.name = 'w' ? 'v' : 'w'}", optional: true}, register: other}
  - {status: {seen: "\${$other.metadata.resourceVersion}"}}
`,
    what: 'status.seen',
    others: ['v'],
  },
]

/** Roles whose resources each show something about all others. */
const PEERS = [
  {
    name: 'how many children of all there are',
    role: `
tasks:
  - {ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${metadata.name}", labels: {peer: "yes"}}}}
  - {list: {apiVersion: v1, kind: ConfigMap, selector: {matchLabels: {peer: "yes"}}}, register: peers}
  - {status: {peers: "\${$count($peers)}"}}
`,
  },
  {
    name: 'how many of its kind there are, and how many each of them has counted',
    role: `
tasks:
  - {list: {apiVersion: example.com/v1, kind: Widget}, register: peers}
  - {status: {peers: "\${$count($peers)}", counted: "\${$sum($peers.status.peers)}"}}
`,
  },
]

long.describe('a role that runs on its own output', () => {
  for (const { name, role, what, others = [] } of LOOPS) {
    it(`is stopped, and what keeps changing is named: ${name}`, async () => {
      const sandbox = await OperatorSandbox.start({ workloads: false })
      try {
        sandbox.run(await projectOf({ widget: role }))
        const widgets = ['w', ...others]
        for (const widget of widgets) await sandbox.widget(widget)
        // Where one of two is stopped, the other has nothing to answer.
        const stalled = await sandbox.until(
          async () =>
            (await Promise.all(widgets.map((widget) => sandbox.condition('Stalled', { name: widget })))).find(Boolean),
          (condition) => condition !== undefined,
        )
        expect(stalled?.reason).to.equal('NonDeterministic')
        expect(stalled?.message).to.include(what)
        expect((await sandbox.settled()).length).to.be.below(40)
        expect(await sandbox.settled()).to.deep.equal([])
        await sandbox.edit(WIDGET, 'w', { spec: { size: 1 } })
        expect((await sandbox.settled()).length).to.be.above(0)
      } finally {
        await sandbox.stop()
      }
    })
  }

  for (const { name, role } of PEERS) {
    it(`is not a role whose resources are created one after the other: each shows ${name}`, async () => {
      const sandbox = await OperatorSandbox.start({ workloads: false })
      const names = Array.from({ length: 14 }, (_, index) => `w${index}`)
      try {
        sandbox.run(await projectOf({ widget: role }))
        for (const [index, peer] of names.entries()) {
          await sandbox.widget(peer)
          await sandbox.until(
            async () => (await sandbox.get(WIDGET, 'w0'))?.status as JsonObject | undefined,
            (status) => status?.peers === index + 1,
          )
        }
        await sandbox.settled()
        const ready = await Promise.all(names.map((peer) => sandbox.condition('Ready', { name: peer })))
        expect(new Set(ready.map((condition) => condition?.reason))).to.deep.equal(new Set(['Ready']))
      } finally {
        await sandbox.stop()
      }
    })
  }

  it('is not a role whose Deployment is scaled and rolled out', async () => {
    const sandbox = await OperatorSandbox.start()
    const role = `
tasks:
  - name: Run
    ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: w}
      spec:
        replicas: "\${spec.size}"
        selector: {matchLabels: {app: w}}
        template: {metadata: {labels: {app: w}}, spec: {containers: [{name: c, image: i}]}}
    register: d
  - status: {ready: "\${$d.status.readyReplicas}"}
`
    try {
      sandbox.run(await projectOf({ widget: role }))
      for (const [index, size] of [3, 5, 1, 0, 12].entries()) {
        await sandbox.widget('w', { size })
        await sandbox.ready('Ready', { generation: index + 1 })
      }
      await sandbox.settled()
      expect(await sandbox.condition('Stalled')).to.equal(undefined)
      expect((await sandbox.get(DEPLOYMENT, 'w'))?.spec).to.include({ replicas: 12 })
    } finally {
      await sandbox.stop()
    }
  })
})
