import { expect } from 'chai'
import { compileTasks, runTasks } from '../../support/task-run.ts'

const ensure = (apiVersion: string, kind: string): string =>
  `- {onImmutable: recreate, ensure: {apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: x}}}`

describe('onImmutable and force of a task', () => {
  const refused = [
    ['v1', 'PersistentVolume', 'data'],
    ['v1', 'PersistentVolumeClaim', 'data'],
    ['v1', 'Namespace', 'data'],
    ['apps/v1', 'StatefulSet', 'data'],
    ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'data'],
    ['example.com/v1', 'Widget', 'not a built-in kind'],
    ['gateway.networking.k8s.io/v1', 'Gateway', 'not a built-in kind'],
  ] as const
  for (const [apiVersion, kind, why] of refused) {
    it(`recreate is refused for a ${kind}`, () => {
      const [first, ...others] = compileTasks(ensure(apiVersion, kind)).diagnostics
      const column = `- {onImmutable: recreate, ensure: {apiVersion: ${apiVersion}, kind: `.length + 1
      expect(`${first?.code} ${first?.line}:${first?.column}`).to.equal(`RB1440 2:${column}`)
      expect(first?.message).to.include(why)
      expect(first?.hint).to.equal('Remove `onImmutable`.')
      expect(others).to.deep.equal([])
    })
  }

  for (const [apiVersion, kind] of [
    ['batch/v1', 'Job'],
    ['v1', 'Service'],
    ['rbac.authorization.k8s.io/v1', 'RoleBinding'],
  ] as const) {
    it(`recreate is taken for a ${kind}, and passed on`, async () => {
      const { ensured } = await runTasks(ensure(apiVersion, kind))
      expect(ensured[0]?.options).to.include({ onImmutable: 'recreate', drift: 'enforce' })
    })
  }

  it('an object that goes to be made anew is waited for, any other is taken as it is', async () => {
    const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'x', namespace: 'd' } }
    const ports = { ensure: async () => ({ object, changed: true, isGoing: true }) }
    expect((await runTasks(ensure('v1', 'Service'), { ports })).end).to.equal(
      'waiting Service d/x is being deleted, to be made anew',
    )
    expect((await runTasks(ensure('v1', 'Service').replace('recreate', 'fail'), { ports })).end).to.equal('complete')
  })

  it('force is for patches alone', () => {
    const patch = '- {force: true, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: b}}}'
    expect(compileTasks(patch).diagnostics).to.deep.equal([])
    const [first] = compileTasks(patch.replace('patch:', 'ensure:')).diagnostics
    expect(`${first?.code} ${first?.line}:${first?.column}`).to.equal('RB1101 2:4')
    expect(first?.hint).to.include('`ensure` takes')
  })
})
