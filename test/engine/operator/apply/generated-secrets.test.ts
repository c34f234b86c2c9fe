import { expect } from 'chai'
import type { RandomBytes } from '../../../../src/core/base/random-text.ts'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../../src/core/kube/object.ts'
import { clientWith } from '../../../support/client-with.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, SECRET, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - name: Password
    ensure:
      apiVersion: v1
      kind: Secret
      metadata: { name: "\${metadata.name}-secret" }
      stringData: { user: "\${spec.user ?? 'admin'}" }
    generate:
      password: { length: 24 }
      pin: { length: 10, charset: digits }
    register: secret
  - name: Rollout
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${metadata.name}-hash" }
      data: { hash: "\${$sha256($secret.data)}" }
`
/** Bytes that count up: every value is another, and every run of the tests has the same. */
function counting(): RandomBytes {
  let next = 0
  return (count) =>
    Uint8Array.from({ length: count }, () => {
      next += 7
      return next % 256
    })
}

const FIRST = ['apply Secret default/w-secret', 'apply ConfigMap default/w-hash', 'patch Widget/status default/w']

describe('generated values of a Secret', () => {
  let sandbox: OperatorSandbox
  beforeEach(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  afterEach(() => sandbox.stop())

  const secret = async (): Promise<KubeObject> => (await sandbox.get(SECRET, 'w-secret')) as KubeObject
  const values = async (): Promise<Record<string, string>> =>
    ((await sandbox.get(SECRET, 'w-secret'))?.data ?? {}) as Record<string, string>
  const text = (value = ''): string => Buffer.from(value, 'base64').toString()

  it('are made once, with one write, and last through restarts with none', async () => {
    const project = await projectOf({ widget: ROLE })
    sandbox.run(project)
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    expect(await sandbox.settled()).to.deep.equal(FIRST)
    const before = await values()
    expect(text(before.password)).to.match(/^[A-Za-z0-9]{24}$/)
    expect(text(before.pin)).to.match(/^[0-9]{10}$/)
    expect(text(before.user)).to.equal('admin')
    expect((await secret()).metadata.managedFields?.map(({ operation }) => operation)).to.deep.equal(['Apply'])
    await sandbox.restart(project)
    expect(await sandbox.settled()).to.deep.equal([])
    expect(await values()).to.deep.equal(before)
  })

  it('stay when other keys change, when their length changes, and when a user sets one', async () => {
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    const { password } = await values()
    await sandbox.widget('w', { user: 'root' })
    await sandbox.ready('Ready', { generation: 2 })
    expect(await values()).to.include({ password, user: Buffer.from('root').toString('base64') })
    await sandbox.halt()
    sandbox.run(await projectOf({ widget: ROLE.replace('length: 24', 'length: 30') }))
    await sandbox.settled()
    expect((await values()).password).to.equal(password)
    const chosen = Buffer.from('chosen-by-hand').toString('base64')
    await sandbox.edit(SECRET, 'w-secret', { data: { password: chosen } })
    await sandbox.until(values, ({ password: now }) => now === chosen)
    await sandbox.settled()
    expect((await values()).password).to.equal(chosen)
    expect(await sandbox.settled()).to.deep.equal([])
  })

  it('are made again when a key is removed, and all of them when the Secret is; who hashes them follows', async () => {
    sandbox.run(await projectOf({ widget: ROLE }), { random: counting() })
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    const hash = async (): Promise<unknown> =>
      ((await sandbox.get(CONFIG_MAP, 'w-hash'))?.data as { hash: string } | undefined)?.hash
    const [first, firstHash] = [await values(), await hash()]
    await sandbox.edit(SECRET, 'w-secret', { data: { pin: null } })
    const second = await sandbox.until(values, ({ pin }) => pin !== undefined && pin !== first.pin)
    expect(second.password).to.equal(first.password)
    await sandbox.until(hash, (now) => now !== firstHash)
    await sandbox.remove(SECRET, 'w-secret')
    const third = await sandbox.until(values, (data) => data.password !== undefined && data.password !== first.password)
    expect(third.pin).to.not.equal(second.pin)
  })

  it('with drift: once stay as others leave them, also when the role writes the Secret again', async () => {
    const once = ROLE.replace('    generate:', '    drift: once\n    generate:')
    sandbox.run(await projectOf({ widget: once }), { random: counting() })
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    const { pin, password: generated } = await values()
    const [chosen, other, root] = ['chosen-by-hand', 'other', 'root'].map((one) => Buffer.from(one).toString('base64'))
    await sandbox.edit(SECRET, 'w-secret', { data: { user: other } })
    expect(await sandbox.settled(), 'who hashes the Secret follows').to.deep.equal(['apply ConfigMap default/w-hash'])
    expect(await values()).to.deep.equal({ password: generated, pin, user: other })
    await sandbox.widget('w', { user: 'root' })
    await sandbox.ready('Ready', { generation: 2 })
    expect(await values()).to.deep.equal({ password: generated, pin, user: root })
    await sandbox.edit(SECRET, 'w-secret', { data: { password: chosen } })
    await sandbox.settled()
    expect(await values()).to.deep.equal({ password: chosen, pin, user: root })
    await sandbox.edit(SECRET, 'w-secret', { data: { password: null } })
    const again = await sandbox.until(values, ({ password }) => password !== undefined)
    expect(again.password).to.not.be.oneOf([chosen, generated])
    expect([again.pin, again.user]).to.deep.equal([pin, root])
  })

  it('are taken from a Secret that is adopted', async () => {
    const adopting = ROLE.replace('    generate:', '    adopt: ifUnowned\n    generate:')
    const data = { password: Buffer.from('older-than-us').toString('base64') }
    await sandbox.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'w-secret' }, data })
    sandbox.run(await projectOf({ widget: adopting }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    expect(await values())
      .to.include(data)
      .and.to.have.property('pin')
  })

  it('are not put into a Secret of another owner', async () => {
    const data = { other: 'eA==' }
    await sandbox.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'w-secret' }, data })
    sandbox.run(await projectOf({ widget: ROLE }))
    await sandbox.widget('w')
    await sandbox.ready('Conflict')
    expect(await values()).to.deep.equal(data)
  })

  it('stay with a retained Secret when the resource goes', async () => {
    sandbox.run(await projectOf({ widget: ROLE.replace('    generate:', '    retain: true\n    generate:') }))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    const before = await values()
    await sandbox.remove(WIDGET, 'w')
    await sandbox.gone(WIDGET, 'w')
    expect(await values()).to.deep.equal(before)
  })

  /** A second process of this installation, which writes just before the first does. */
  const racing = (
    data: Record<string, string>,
    when: (object: KubeObject) => boolean,
  ): Partial<{ client: KubeClient }> => {
    let isOver = false
    const client = clientWith(sandbox.client, {
      apply: async (object, options) => {
        if (!isOver && when(object)) {
          isOver = true
          const { resourceVersion: _version, ...metadata } = object.metadata
          const theirs = { ...object, metadata, data: { ...(object.data as object), ...data } }
          await sandbox.client.apply(theirs as KubeObject, { ...options, force: true })
        }
        return sandbox.client.apply(object, options)
      },
    })
    return { client }
  }
  const THEIRS = { password: Buffer.from('the-other-process').toString('base64') }

  it('of a process that was first are kept by the second', async () => {
    sandbox.run(
      await projectOf({ widget: ROLE }),
      racing(THEIRS, ({ kind }) => kind === 'Secret'),
    )
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    expect(await values()).to.include(THEIRS)
  })

  it('that another process made again first are kept, too', async () => {
    const isRepair = ({ kind, metadata }: KubeObject): boolean => kind === 'Secret' && metadata.uid !== undefined
    sandbox.run(await projectOf({ widget: ROLE }), racing(THEIRS, isRepair))
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    const { password } = await values()
    await sandbox.edit(SECRET, 'w-secret', { data: { password: null } })
    const now = await sandbox.until(values, (data) => data.password !== undefined && data.password !== password)
    expect(now).to.include(THEIRS)
    await sandbox.settled()
    expect(await values()).to.include(THEIRS)
  })
})
