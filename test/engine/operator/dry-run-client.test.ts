import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import type { LogFields, Logger } from '../../../src/core/base/logger.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import { connect } from '../../../src/core/kube-client/connect.ts'
import { dryRunClient } from '../../../src/engine/operator/dry-run-client.ts'
import type { RequestEntry } from '../../../src/sandbox/apiserver/http/request-handler.ts'
import { clientWith } from '../../support/client-with.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'

const ROLE = `
order: sequential
tasks:
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${metadata.name}-made"}, data: {text: "\${spec.text}"}}
    when: \${$not($exists(spec.without))}
  - {name: Keep, retain: true, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: kept}, data: {a: b}}}
  - patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: foreign}, data: {ours: "1"}}
  - event: {type: Normal, reason: Reported, message: reported}
  - status: {text: "\${spec.text}"}
`

/** `POST /api/…?dryRun=All`: whatever is no read. */
interface Traffic {
  readonly writes: string[]
  readonly storing: string[]
}

describe('rolebook run --dry-run', () => {
  let sandbox: OperatorSandbox
  let traffic: Traffic
  let lines: string[]
  beforeEach(async () => {
    traffic = { writes: [], storing: [] }
    lines = []
    sandbox = await OperatorSandbox.start({ workloads: false, port: 0, onRequest: (entry) => note(entry) })
    const foreign = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'foreign' }, data: { theirs: '1' } }
    await sandbox.apply(foreign)
  })
  afterEach(() => sandbox.stop())

  function note({ method, path, userAgent }: RequestEntry): void {
    if (userAgent !== 'dry-run' || method === 'GET') return
    traffic.writes.push(`${method} ${path}`)
    if (!path.includes('dryRun=All')) traffic.storing.push(`${method} ${path}`)
  }

  const info = (message: string, fields: LogFields = {}): void => {
    const { fields: changed, kind, object, subresource } = fields
    lines.push([message, kind, object, subresource, changed].filter((one) => one !== undefined).join(' '))
  }
  const logger: Logger = { ...nopLogger, info, child: () => logger }

  /** Runs a dry operator until it has said so many lines, and then ends the work under way. */
  async function dryRun(
    count: number,
    role = ROLE,
    meanwhile = async (): Promise<unknown> => undefined,
  ): Promise<readonly string[]> {
    const { url, token } = sandbox.access
    const options = { userAgent: 'dry-run', clock: systemClock, logger: nopLogger }
    const connection = await connect({ ...options, server: { url, token } })
    const { mapper, openApi } = connection
    const { client } = connection
    sandbox.run(await projectOf({ widget: role }), { client, mapper, openApi, logger, dryRun: true })
    try {
      await meanwhile()
      await sandbox.until(
        async () => lines.length,
        (said) => said >= count,
      )
      return lines.splice(0)
    } finally {
      await sandbox.halt()
      await connection.close()
    }
  }

  const state = async (): Promise<readonly (string | undefined)[]> =>
    [...(await sandbox.client.list(CONFIG_MAP)).items, ...(await sandbox.client.list(WIDGET)).items].map(
      ({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`,
    )

  it('says what would be made, and stores nothing', async () => {
    await sandbox.widget('w', { text: 'a' })
    const before = await state()
    const said = await dryRun(5)
    expect(traffic.storing).to.deep.equal([])
    expect(await state()).to.deep.equal(before)
    expect(said).to.deep.equal([
      'dry run: would create ConfigMap default/w-made',
      'dry run: would change Widget.example.com default/w metadata.finalizers',
      'dry run: would create ConfigMap default/kept',
      'dry run: would change ConfigMap default/foreign metadata.labels,data.ours',
      'dry run: would change Widget.example.com default/w status status',
    ])
  })

  it('says the same thing once, and what an edit would change besides', async () => {
    await sandbox.widget('w', { text: 'a' })
    const said = await dryRun(8, ROLE, async () => {
      await sandbox.until(
        async () => lines.length,
        (count) => count === 5,
      )
      await sandbox.widget('w', { text: 'b' })
    })
    expect(said.slice(5)).to.deep.equal([
      'dry run: would create ConfigMap default/w-made',
      'dry run: would change Widget.example.com default/w metadata.finalizers',
      'dry run: would change Widget.example.com default/w status status',
    ])
    expect(traffic.storing).to.deep.equal([])
  })

  it('logs no value that a run has read from a Secret', async () => {
    const data = { password: Buffer.from('correcthorse').toString('base64') }
    await sandbox.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, data })
    const role = `
tasks:
  - get: {apiVersion: v1, kind: Secret, name: login}
    register: login
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "of-\${$base64decode($login.data.password)}"}}
`
    await sandbox.widget('w')
    const said = await dryRun(1, role)
    expect(said[0]).to.match(/^dry run: would create ConfigMap /)
    expect(said.join()).to.not.include('correcthorse')
  })

  describe('sends', () => {
    const MANAGER = { fieldManager: 'm' }
    const map = (name: string, data: { readonly [key: string]: string } = {}): KubeObject => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'default' },
      data,
    })
    const dry = (): KubeClient => dryRunClient(sandbox.client, logger)

    it('nothing for the ledger', async () => {
      const ledger = map('rolebook-ledger')
      expect(await dry().create(ledger, MANAGER)).to.equal(ledger)
      const key = { namespace: 'default', name: 'rolebook-ledger' }
      const answer = await dry().patch(CONFIG_MAP, key, { type: 'merge', body: {} }, MANAGER)
      expect(answer.metadata).to.deep.equal(key)
      expect(await sandbox.get(CONFIG_MAP, 'rolebook-ledger')).to.equal(undefined)
      expect(lines).to.deep.equal([])
    })

    it('what is made by a POST as a dry run', async () => {
      expect((await dry().create(map('posted'), MANAGER)).metadata.uid).to.not.equal(undefined)
      expect(await sandbox.get(CONFIG_MAP, 'posted')).to.equal(undefined)
      expect(lines).to.deep.equal(['dry run: would create ConfigMap default/posted'])
    })

    it("the engine's own dry runs without a word", async () => {
      await dry().apply(map('foreign', { theirs: '2' }), { ...MANAGER, force: true, dryRun: true })
      expect(lines).to.deep.equal([])
    })

    it('no removal of what is not there', async () => {
      expect(await dry().delete(CONFIG_MAP, { namespace: 'default', name: 'none' })).to.equal(undefined)
      expect(lines).to.deep.equal([])
    })

    it('nothing that it would have to remember for ever', async () => {
      const client = dryRunClient(clientWith(sandbox.client, { create: async (object) => object }), logger)
      for (let index = 0; index <= 10_000; index++) await client.create(map(`n${index}`), MANAGER)
      await client.create(map('n0'), MANAGER)
      expect(lines.length).to.equal(10_002)
    })
  })

  describe('beside what an operator has made', () => {
    beforeEach(async () => {
      sandbox.run(await projectOf({ widget: ROLE }))
      await sandbox.widget('w', { text: 'a' })
      await sandbox.ready('Ready')
      await sandbox.settled()
      await sandbox.halt()
    })

    it('says nothing where all is as it should be', async () => {
      await sandbox.widget('x', { text: 'a', without: true })
      const said = await dryRun(1)
      expect(said.filter((line) => line.includes('default/w'))).to.deep.equal([])
      expect(traffic.storing).to.deep.equal([])
    })

    it('says what would be put back and what would be removed', async () => {
      await sandbox.edit(CONFIG_MAP, 'kept', { data: { a: 'c' } })
      await sandbox.edit(WIDGET, 'w', { spec: { without: true } })
      const before = await state()
      const said = await dryRun(3)
      expect(said).to.include.members([
        'dry run: would change ConfigMap default/kept data.a',
        'dry run: would remove ConfigMap default/w-made',
      ])
      expect(await state()).to.deep.equal(before)
      expect(traffic.storing).to.deep.equal([])
    })

    it('says what the end of a resource would take along', async () => {
      await sandbox.remove(WIDGET, 'w')
      const before = await state()
      const said = await dryRun(3)
      expect(said).to.deep.equal([
        'dry run: would change ConfigMap default/foreign metadata.labels,data.ours',
        'dry run: would change ConfigMap default/kept metadata.labels,' +
          "metadata.annotations['rolebook.dev/owner'],metadata.annotations['rolebook.dev/operator'],metadata.annotations['rolebook.dev/retain']",
        'dry run: would change Widget.example.com default/w metadata.finalizers',
      ])
      expect(await state()).to.deep.equal(before)
      expect(traffic.storing).to.deep.equal([])
    })
  })
})
