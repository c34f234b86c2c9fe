import { expect } from 'chai'
import type { KubeClient } from '../../../src/core/kube/client.ts'
import { dryRun, guarded, recording, type Write, warning } from '../../../src/core/kube/client-decorators.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'

const OBJECT: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'd' } }
const GVK = { group: '', version: 'v1', kind: 'ConfigMap' }
const KEY = { namespace: 'd', name: 'a' }
const MANAGER = { fieldManager: 'm' }

/** Remembers its calls as texts. */
function scripted(calls: string[], error?: Error): KubeClient {
  const call = (text: string, options?: { dryRun?: boolean | undefined }): Promise<KubeObject> => {
    calls.push(options?.dryRun ? `${text} dry` : text)
    return error ? Promise.reject(error) : Promise.resolve(OBJECT)
  }
  return {
    get: () => call('get'),
    list: async () => ({ items: [await call('list')], resourceVersion: '1' }),
    async *watch() {
      yield { type: 'ADDED', object: await call('watch') }
    },
    create: (_object, options) => call('create', options),
    apply: (_object, options) => call('apply', options),
    patch: (_gvk, _key, _patch, options) => call('patch', options),
    delete: () => call('delete'),
  }
}

async function useAll(client: KubeClient): Promise<void> {
  await client.get(GVK, KEY)
  await client.list(GVK)
  for await (const _event of client.watch(GVK, {})) break
  await client.create(OBJECT, MANAGER)
  await client.apply(OBJECT, { ...MANAGER, force: true, subresource: 'status' })
  await client.patch(GVK, KEY, { type: 'merge', body: {} }, MANAGER)
  await client.delete(GVK, KEY)
}

const print = ({ verb, key, subresource }: Write): string =>
  `${verb} ${key.name}${subresource ? `/${subresource}` : ''}`

describe('Decorators of the client', () => {
  it('dryRun lets the server store nothing', async () => {
    const calls: string[] = []
    await useAll(dryRun(scripted(calls)))
    expect(calls).to.deep.equal(['get', 'list', 'watch', 'create dry', 'apply dry', 'patch dry', 'get'])
  })

  it('warning passes on the warnings of the server to every request', async () => {
    const warnings: string[] = []
    const server = scripted([])
    const warningServer = new Proxy(server, {
      get:
        (target, verb: keyof KubeClient) =>
        (...args: { warn?: (text: string) => void }[]) => {
          args.at(-1)?.warn?.(verb)
          return (target[verb] as (...given: unknown[]) => unknown)(...args)
        },
    })
    await useAll(warning(warningServer, (text) => warnings.push(text)))
    expect(warnings).to.deep.equal(['get', 'list', 'watch', 'create', 'apply', 'patch', 'delete'])
  })

  it('dryRun lets a delete be given up', async () => {
    const { signal } = new AbortController()
    const seen: (AbortSignal | undefined)[] = []
    const client: KubeClient = {
      ...scripted([]),
      get: async (_gvk, _key, options) => {
        seen.push(options?.signal)
        return OBJECT
      },
    }
    await dryRun(client).delete(GVK, KEY, { signal })
    expect(seen).to.deep.equal([signal])
  })

  it('recording reports every write and its end, and no read', async () => {
    const writes: string[] = []
    await useAll(recording(scripted([]), (write) => writes.push(print(write))))
    expect(writes).to.deep.equal(['create a', 'apply a/status', 'patch a', 'delete a'])
    const failure = new Error('x')
    const seen: unknown[] = []
    const client = recording(scripted([], failure), (_write, error) => seen.push(error))
    await client.delete(GVK, KEY).catch(() => undefined)
    expect(seen).to.deep.equal([failure])
  })

  it('recording reports no name for an object that the server will name', async () => {
    const keys: Write['key'][] = []
    const client = recording(scripted([]), ({ key }) => keys.push(key))
    await client.create({ ...OBJECT, metadata: { generateName: 'a-', namespace: 'd' } }, MANAGER)
    expect(keys).to.deep.equal([{ namespace: 'd', name: '' }])
  })

  it('guarded sends nothing that its check refuses', async () => {
    const calls: string[] = []
    const client = guarded(scripted(calls), ({ verb }) => {
      if (verb === 'delete') throw new Error('not now')
    })
    await client.create(OBJECT, MANAGER)
    let refused = false
    try {
      await client.delete(GVK, KEY)
    } catch {
      refused = true
    }
    expect([refused, calls]).to.deep.equal([true, ['create']])
  })
})
