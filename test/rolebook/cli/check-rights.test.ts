import { expect } from 'chai'
import { FakeClock } from '../../../src/core/base/fake-clock.ts'
import { type LogFields, type Logger, nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { Gvk } from '../../../src/core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { ResourceMapper } from '../../../src/core/kube/resource-mapper.ts'
import { checkRights } from '../../../src/rolebook/cli/check-rights.ts'
import { projectOf } from '../../support/operator-sandbox.ts'

const ROLE = 'tasks: [{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}}]'

interface Attributes {
  readonly verb: string
  readonly resource: string
  readonly subresource?: string
  readonly namespace?: string
}

/** A server where some things are allowed, and that may refuse to answer for a while. */
async function asked(isAllowed: (right: Attributes) => boolean, refusals: readonly Error[] = []) {
  const clock = new FakeClock()
  const stop = new AbortController()
  const left = [...refusals]
  const logged: { message: string; fields: LogFields | undefined }[] = []
  const log = (message: string, fields?: LogFields): void => void logged.push({ message, fields })
  const logger: Logger = { ...nopLogger, warn: log, debug: log }
  const questions: Attributes[] = []
  const create = async (review: KubeObject): Promise<KubeObject> => {
    const refusal = left.shift()
    if (refusal) throw refusal
    const { resourceAttributes } = review.spec as unknown as { resourceAttributes: Attributes }
    questions.push(resourceAttributes)
    return { ...review, status: { allowed: isAllowed(resourceAttributes) } }
  }
  const mapper = {
    mappingFor: async (gvk: Gvk) => {
      if (gvk.kind === 'Widget') return { gvk, plural: 'widgets', namespaced: true, subresources: [], verbs: [] }
      if (gvk.kind === 'ConfigMap') return { gvk, plural: 'configmaps', namespaced: true, subresources: [], verbs: [] }
      throw new ApiError(404, 'KindNotServed', 'no such kind')
    },
  } as Partial<ResourceMapper> as ResourceMapper
  const further = [{ verb: 'get', group: 'x', resource: 'ys' }]
  const options = { client: { create }, mapper, clock, logger, signal: stop.signal, further }
  const project = await projectOf({ widget: ROLE })
  return {
    clock,
    stop,
    logged,
    questions,
    check: () => checkRights(project, { ...options, installation: { namespace: 'ops' } }),
  }
}

describe('missing rights', () => {
  it('are logged with rules by namespace, all at once', async () => {
    const isMissing = ({ verb, resource, subresource }: Attributes): boolean =>
      (resource === 'widgets' && (subresource === 'status' || verb === 'list')) ||
      resource === 'secrets' ||
      resource === 'ys'
    const { logged, questions, check } = await asked((right) => !isMissing(right))
    await check()
    expect(logged.map(({ message }) => message.split(':')[0])).to.deep.equal(['rights are missing'])
    expect(logged[0]?.fields?.grant).to.deep.equal([
      {
        rules: [
          { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['list'] },
          { apiGroups: ['example.com'], resources: ['widgets/status'], verbs: ['patch'] },
          { apiGroups: ['x'], resources: ['ys'], verbs: ['get'] },
        ],
      },
      {
        namespace: 'ops',
        rules: [
          { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
          { apiGroups: [''], resources: ['secrets'], resourceNames: ['rolebook-ledger'], verbs: ['get'] },
        ],
      },
    ])
    expect(new Set(questions.map((question) => JSON.stringify(question))).size).to.equal(questions.length)
  })

  it('are none where everything is allowed', async () => {
    const { logged, check } = await asked(() => true)
    await check()
    expect(logged.map(({ message }) => message)).to.deep.equal(['all rights that are needed are there'])
  })

  it('are asked for again when the server could not be asked', async () => {
    const { clock, logged, check } = await asked(() => true, Array(8).fill(new ApiError(0, 'NoAnswer', 'away')))
    const checking = check()
    await clock.advance(29_999)
    expect(logged.map(({ message }) => message)).to.deep.equal(['cannot ask the API server which rights there are'])
    await clock.advance(1)
    await checking
    expect(logged.at(-1)?.message).to.equal('all rights that are needed are there')
  })

  it('are no longer asked for once the program is stopped', async () => {
    const before = await asked(() => true)
    before.stop.abort()
    await before.check()
    expect(before.questions).to.deep.equal([])
    const meanwhile = await asked(() => true, Array(8).fill(new Error('stopped')))
    const checking = meanwhile.check()
    meanwhile.stop.abort()
    await checking
    expect(meanwhile.logged).to.deep.equal([])
  })
})
