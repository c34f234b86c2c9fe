import { expect } from 'chai'
import { SourceFile } from '../../../src/core/yaml/source-file.ts'
import type { Project } from '../../../src/engine/operator/project.ts'
import { KindNames } from '../../../src/rolebook/role-test/kind-names.ts'
import { planOnCluster } from '../../../src/rolebook/role-test/on-cluster/plan-on-cluster.ts'
import { parseTest } from '../../../src/rolebook/role-test/parse-test.ts'
import type { TestPlan } from '../../../src/rolebook/role-test/test-plan.ts'
import { loadBuiltinSchemas } from '../../../src/sandbox/cluster/load-builtin-schemas.ts'
import { crd, GADGET, projectOf, WIDGET } from '../../support/operator-sandbox.ts'

const kinds = new KindNames(loadBuiltinSchemas(), [crd(WIDGET), crd(GADGET, { scope: 'Cluster' })])
const ROLE = 'tasks:\n  - name: Nothing\n    set: {a: 1}\n'
const LOOK = 'expect: [{kind: ConfigMap, name: a}]'

interface Case {
  readonly name: string
  readonly given?: string
  readonly head?: string
  readonly steps: readonly string[]
  /** Why all of it is skipped. */
  readonly skipped?: RegExp
  /** By step: what is done of it, and why not all. */
  readonly done?: readonly (readonly ['all' | 'action' | 'nothing', RegExp?])[]
}

const cases: readonly Case[] = [
  {
    name: 'what needs no sandbox is done',
    steps: [LOOK, `patch: {kind: Widget, name: a, spec: {b: 1}}\n    ${LOOK}`, 'restart: crash', 'leaks: []'],
    done: [['all'], ['all'], ['all'], ['all']],
  },
  {
    name: 'a test without simulated controllers',
    head: 'workloads: false',
    steps: [LOOK],
    skipped: /controllers of workloads.*`workloads: false`/,
  },
  {
    name: 'a namespace that the test does not give',
    given: '{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: team}}',
    steps: [LOOK],
    skipped: /ConfigMap team\/a is given in a namespace that may be in use: give the Namespace team, too/,
  },
  {
    name: 'a namespace that the test gives',
    given:
      '{apiVersion: v1, kind: Namespace, metadata: {name: team}}, {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: team}}',
    steps: [LOOK],
    done: [['all']],
  },
  {
    name: 'a given status of a controller',
    given: '{apiVersion: v1, kind: Pod, metadata: {name: a}, status: {phase: Failed}}',
    steps: [LOOK],
    skipped: /the status of a Pod is written by a controller/,
  },
  {
    name: 'a test in which faults are all that is tried',
    steps: ['fail: {verb: patch, code: 500}', LOOK],
    skipped: /only the sandbox makes requests fail/,
  },
  {
    name: 'faults, what is seen of them, and what comes after them',
    steps: [
      LOOK,
      'fail: {verb: patch, code: 500, times: 9}',
      `patch: {kind: Widget, name: a, spec: {b: 1}}\n    ${LOOK}`,
      'delete: {kind: ConfigMap, name: a}',
      'fail: []',
      `delete: {kind: ConfigMap, name: b}\n    ${LOOK}`,
    ],
    done: [
      ['all'],
      ['nothing', /only the sandbox/],
      ['action', /what faults have led to/],
      ['all'],
      ['nothing', /only the sandbox/],
      ['all'],
    ],
  },
  {
    name: 'time that is short enough passes, other time does not, nor is seen what it leads to',
    steps: ['advance: 30s\n    writes: {}', 'advance: 10h\n    writes: {}', LOOK, `restart: stop\n    ${LOOK}`],
    done: [
      ['all'],
      ['nothing', /10h is more than --timeout 1m/],
      ['action', /a step has led to that is skipped/],
      ['all'],
    ],
  },
  {
    name: 'time is said in the largest unit that it is a whole number of',
    steps: [LOOK, 'advance: 61001ms', 'advance: 61s', 'advance: 2m'],
    done: [
      ['all'],
      ['nothing', /61001ms is more than/],
      ['nothing', /61s is more than/],
      ['nothing', /2m is more than/],
    ],
  },
  {
    name: 'a test that looks at nothing is done',
    steps: ['restart: crash', 'advance: 1s'],
    done: [['all'], ['all']],
  },
  {
    name: 'an object is created, unless a controller of the cluster would write the status that it has',
    steps: [
      `create: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {}}\n    ${LOOK}`,
      `create: {apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {}, status: {phase: Failed}}\n    ${LOOK}`,
    ],
    done: [['all'], ['nothing', /the status of a Pod is written by a controller/]],
  },
  {
    name: 'how far the operator has come is not compared',
    steps: [`delete: {kind: ConfigMap, name: a}\n    wait: 10ms\n    ${LOOK}`, 'restart: crash\n    wait: 0s', LOOK],
    done: [['action', /`wait`/], ['all'], ['all']],
  },
  {
    name: 'a status that a controller writes is left to it',
    steps: [
      `patch: {kind: Deployment, name: a, status: {readyReplicas: 1}}\n    ${LOOK}`,
      `patch: {kind: Widget, name: a, status: {b: 1}}\n    ${LOOK}`,
    ],
    done: [['nothing', /the status of a Deployment/], ['all']],
  },
]

describe('what of a test is done on a cluster', () => {
  let project: Project
  before(async () => {
    project = await projectOf({ widget: ROLE })
  })

  function planOf({ head = 'workloads: true', given = '', steps }: Case): TestPlan {
    const text = `${head}\ngiven: [${given}]\nsteps:\n${steps.map((step) => `  - ${step}\n`).join('')}`
    const surroundings = { role: 'widget', kinds, watched: [WIDGET], readFile: () => ({ objects: [] }) }
    const { test, diagnostics } = parseTest(new SourceFile('t.yaml', text), surroundings)
    if (!test) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
    return planOnCluster(test, project, { timeout: 60_000 })
  }

  for (const one of cases) {
    it(one.name, () => {
      const { skipped, steps } = planOf(one)
      if (one.skipped) {
        expect(skipped).to.match(one.skipped)
        return
      }
      expect(skipped).to.equal(undefined)
      const done = steps.map(({ acts, checks }) => (checks ? 'all' : acts ? 'action' : 'nothing'))
      expect(done).to.deep.equal(one.done?.map(([what]) => what))
      for (const [index, [, reason]] of (one.done ?? []).entries()) {
        if (reason) expect(steps[index]?.skipped).to.match(reason)
        else expect(steps[index]?.skipped).to.equal(undefined)
      }
    })
  }

  it('nothing, where a role looks after cluster-scoped resources', async () => {
    project = await projectOf({ gadget: ROLE }, '- {group: example.com, version: v1, kind: Gadget, role: gadget}\n')
    const { skipped } = planOf({ name: '', steps: [LOOK] })
    expect(skipped).to.match(/Gadget is cluster-scoped: the operator of the test would look after those of others/)
  })
})
