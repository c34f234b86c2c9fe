import { expect } from 'chai'
import { type LogFields, nopLogger } from '../../../../src/core/base/logger.ts'
import { ApiError } from '../../../../src/core/kube/api-error.ts'
import type { KubeClient } from '../../../../src/core/kube/client.ts'
import type { Gvk } from '../../../../src/core/kube/group-version-kind.ts'
import type { KubeObject, ObjectMeta } from '../../../../src/core/kube/object.ts'
import type { ResourceMapper } from '../../../../src/core/kube/resource-mapper.ts'
import { type ObjectPatcher, patchManagerOf } from '../../../../src/engine/reconcile/apply/patch-object.ts'
import { NamespaceRules, ownerOf } from '../../../../src/engine/reconcile/ownership/ownership.ts'
import { PatchedObjects, type PatchedObjectsTools } from '../../../../src/engine/reconcile/prune/managed-objects.ts'
import type { ObjectCaches } from '../../../../src/engine/reconcile/reconciler-ports.ts'
import type { Role } from '../../../../src/engine/role/role.ts'
import { ledgerWith } from '../../../support/ledger-with.ts'
import { partOf } from '../../../support/part-of.ts'
import { roleOf } from '../../../support/task-run.ts'

const NODE: Gvk = { group: '', version: 'v1', kind: 'Node' }
const OWNER = ownerOf(
  { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'd', uid: 'u' } },
  { group: 'example.com', version: 'v1', kind: 'Widget' },
)
const ROLE = roleOf('- patch: {apiVersion: v1, kind: Node, metadata: {name: "n"}, spec: {unschedulable: true}}')
/** One that patches nothing any more. */
const IDLE = roleOf('- set: {a: b}')
const MANAGER = patchManagerOf('u', NODE, { namespace: '', name: 'n' })

/** A cluster-scoped object with fields of ours. */
function node(metadata: ObjectMeta = {}): KubeObject {
  const managedFields = [{ manager: MANAGER, operation: 'Apply' }]
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', uid: 'n1', managedFields, ...metadata } }
}

interface World {
  readonly listed: readonly KubeObject[] | Error
  readonly live?: KubeObject | Error
  /** Kinds that only the ledger knows. Defaults to none. */
  readonly former?: readonly Gvk[]
}

function patchedIn({ listed, live, former = [] }: World) {
  const log: string[] = []
  const warnings: LogFields[] = []
  const list = (): readonly KubeObject[] => {
    if (listed instanceof Error) throw listed
    return listed
  }
  const get = async (): Promise<KubeObject | undefined> => {
    if (live instanceof Error) throw live
    return live
  }
  const tools: PatchedObjectsTools = {
    client: partOf<KubeClient>({
      get,
      list: async (_gvk, { namespace = 'everywhere', labelSelector = '' } = {}) => {
        log.push(`list ${namespace} ${labelSelector}`)
        return { items: list(), resourceVersion: '1' }
      },
    }),
    mapper: partOf<ResourceMapper>({
      mappingFor: async (gvk) => ({ gvk, plural: 'nodes', namespaced: false, subresources: [], verbs: [] }),
      preferred: async (kind) => ({ version: 'v1', ...kind }),
    }),
    caches: partOf<ObjectCaches>({ patched: async () => list() }),
    ledger: ledgerWith({ patch: former }),
    patcher: partOf<ObjectPatcher>({ release: async ({ metadata }) => void log.push(`release ${metadata.name}`) }),
    logger: { ...nopLogger, warn: (_message: string, fields: LogFields) => void warnings.push(fields) },
  }
  const context = {
    owner: OWNER,
    rules: new NamespaceRules('d', { write: ['*'] }),
    signal: new AbortController().signal,
  }
  return { patched: new PatchedObjects(tools), context, log, warnings }
}

describe('PatchedObjects', () => {
  const cases: { name: string; world: World; released: boolean }[] = [
    { name: 'lets go of what it holds', world: { listed: [node()], live: node() }, released: true },
    { name: 'not of what has gone meanwhile', world: { listed: [node()] }, released: false },
    {
      name: 'not of another object that has the name now',
      world: { listed: [node()], live: node({ uid: 'n2' }) },
      released: false,
    },
    {
      name: 'not of what another resource holds',
      world: { listed: [node({ managedFields: [{ manager: 'rolebook-patch-other' }] })], live: node() },
      released: false,
    },
    {
      name: 'not of an object without managedFields',
      world: { listed: [node({ managedFields: undefined })], live: node() },
      released: false,
    },
    {
      name: 'not of a kind that is not served any more',
      world: { listed: new ApiError(404, 'KindNotServed', 'x') },
      released: false,
    },
  ]
  for (const { name, world, released } of cases) {
    it(`${name}, when the resource goes and after a restart`, async () => {
      const { patched, context, log } = patchedIn(world)
      await patched.releaseAll(ROLE, context)
      const ends = released ? ['release n'] : []
      expect(log).to.deep.equal(['list everywhere rolebook.dev/patched=true', ...ends])
      log.length = 0
      await patched.releaseUnwanted(new Map(), ROLE, context)
      expect(log).to.deep.equal(ends)
    })
  }

  const refused: { name: string; write: readonly string[]; live: ApiError; expected: string | undefined }[] = [
    {
      name: 'where the role may write: it fails',
      write: ['*'],
      live: new ApiError(403, 'Forbidden', 'x'),
      expected: 'Forbidden',
    },
    {
      name: 'where the role may no longer write: the rights of the operator end there, too',
      write: [],
      live: new ApiError(403, 'Forbidden', 'x'),
      expected: undefined,
    },
    {
      name: 'where the role may no longer write, and it is no matter of rights',
      write: [],
      live: new ApiError(503, 'ServiceUnavailable', 'x'),
      expected: 'ServiceUnavailable',
    },
  ]
  for (const { name, write, live, expected } of refused) {
    it(`may not let go after a restart, ${name}`, async () => {
      const { patched, context } = patchedIn({ listed: [node()], live })
      const rules = new NamespaceRules('d', { write })
      const done = patched.releaseUnwanted(new Map(), ROLE, { ...context, rules })
      expect(await done.catch(({ code }: ApiError) => code)).to.equal(expected)
    })
  }

  const former: { name: string; live?: KubeObject | Error; released: boolean }[] = [
    { name: 'lets go of what it holds', live: node(), released: true },
    { name: 'not of what has gone', released: false },
    { name: 'not of what it holds no more', live: node({ managedFields: [] }), released: false },
    {
      name: 'not of a kind that is not served any more',
      live: new ApiError(404, 'KindNotServed', 'x'),
      released: false,
    },
  ]
  for (const { name, live, released } of former) {
    it(`${name}, when a run has patched it and the next one does not`, async () => {
      const { patched, context, log } = patchedIn({ listed: [], ...(live && { live }) })
      await patched.releaseFormer([{ gvk: NODE, key: { namespace: '', name: 'n' }, task: 'patch' }], context)
      expect(log).to.deep.equal(released ? ['release n'] : [])
    })
  }

  it('lets nothing go unseen that cannot be read', async () => {
    const away = new ApiError(503, 'ServiceUnavailable', 'x')
    const { patched, context } = patchedIn({ listed: away, live: away })
    const codeOf = (error: ApiError): string => error.code
    const former = [{ gvk: NODE, key: { namespace: '', name: 'n' }, task: 'patch' }]
    expect(await patched.releaseFormer(former, context).catch(codeOf)).to.equal('ServiceUnavailable')
    expect(await patched.releaseAll(ROLE, context).catch(codeOf)).to.equal('ServiceUnavailable')
    expect(await patched.releaseUnwanted(new Map(), ROLE, context).catch(codeOf)).to.equal('ServiceUnavailable')
  })

  const unreadable: { name: string; role: Role; former: Gvk[]; code: string | undefined }[] = [
    { name: 'lets a kind alone that no role patches any more', role: IDLE, former: [NODE], code: undefined },
    { name: 'fails for a kind that the role patches', role: ROLE, former: [NODE], code: 'Forbidden' },
  ]
  for (const { name, role, former, code } of unreadable) {
    it(`${name}, and that may not be read`, async () => {
      const listed = new ApiError(403, 'Forbidden', 'x')
      const { patched, context, warnings } = patchedIn({ listed, former })
      const ends = [patched.releaseUnwanted(new Map(), role, context), patched.releaseAll(role, context)]
      const codes = await Promise.all(ends.map((end) => end.catch((error: ApiError) => error.code)))
      expect(codes).to.deep.equal([code, code])
      const warned = warnings.map(({ kind }) => kind)
      expect(warned, 'it is said once').to.deep.equal(code === undefined ? ['Node'] : [])
    })
  }
})
