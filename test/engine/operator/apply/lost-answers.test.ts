import { expect } from 'chai'
import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { InterceptedRequest } from '../../../../src/sandbox/apiserver/http/request-handler.ts'
import { HeldWatch } from '../../../support/held-watch.ts'
import { CONFIG_MAP, OperatorSandbox, projectOf, WIDGET } from '../../../support/operator-sandbox.ts'

const ROLE = `
tasks:
  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: w}, data: {size: "\${metadata.labels.size}"}}
  - status: {size: "\${metadata.labels.size}"}
`

const READS_SOURCE = `
tasks:
  - get: {apiVersion: v1, kind: ConfigMap, name: source}
    register: source
  - status: {size: "\${$source.data.size}"}
`

describe('a write that is done although its answer is lost', () => {
  let sandbox: OperatorSandbox
  let loses: ((request: InterceptedRequest) => boolean) | undefined
  let onLost: () => void
  beforeEach(async () => {
    loses = undefined
    sandbox = await OperatorSandbox.start({
      workloads: false,
      intercept: (request) => {
        if (request.phase !== 'after' || !loses?.(request)) return undefined
        loses = undefined
        onLost()
        return 'drop'
      },
    })
  })
  afterEach(() => sandbox.stop())

  const resize = (size: string): Promise<unknown> => sandbox.edit(WIDGET, 'w', { metadata: { labels: { size } } })

  /** Loses the answer to what the new size leads to, and sets the former size right then. */
  async function resizeAndBack(isLost: (request: InterceptedRequest) => boolean): Promise<void> {
    const lost = Promise.withResolvers<void>()
    loses = isLost
    onLost = () => void resize('1').then(() => lost.resolve(), lost.reject)
    await resize('2')
    await lost.promise
  }

  it('leaves no status of what is not wanted any more', async () => {
    sandbox.run(await projectOf({ widget: ROLE.replace(/.*ensure.*\n/, '') }))
    await sandbox.widget('w', {}, { labels: { size: '1' } })
    await sandbox.ready('Ready')
    await sandbox.settled()
    await resizeAndBack(({ method, path }) => method === 'PATCH' && path.includes('/status'))
    await sandbox.until(
      () => sandbox.get(WIDGET, 'w'),
      (widget) => (widget?.status as JsonObject | undefined)?.size === '1',
    )
  })

  it('leaves no status of what was read before, though no watch shows the lost write', async () => {
    const watch = new HeldWatch(sandbox.client, 'Widget')
    const source = (size: string) =>
      sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'source' }, data: { size } })
    await source('1')
    sandbox.run(await projectOf({ widget: READS_SOURCE }), { client: watch.client })
    await sandbox.widget('w')
    await sandbox.ready('Ready')
    await sandbox.settled()
    watch.hold()
    try {
      const lost = Promise.withResolvers<void>()
      loses = ({ method, path }) => method === 'PATCH' && path.includes('/status')
      onLost = lost.resolve
      await source('2')
      await lost.promise
      sandbox.runs.length = 0
      await sandbox.until(
        async () => sandbox.runs,
        (runs) => runs.some(({ outcome }) => outcome === 'complete'),
      )
      await source('1')
      await sandbox.until(
        () => sandbox.get(WIDGET, 'w'),
        (widget) => (widget?.status as JsonObject | undefined)?.size === '1',
      )
    } finally {
      watch.letGo()
    }
  })

  it('leaves no object that is not wanted any more, though no watch shows it in time', async () => {
    const watch = new HeldWatch(sandbox.client, 'ConfigMap')
    sandbox.run(await projectOf({ widget: ROLE }), { client: watch.client })
    await sandbox.widget('w', {}, { labels: { size: '1' } })
    await sandbox.ready('Ready')
    await sandbox.settled()
    watch.hold()
    try {
      await resizeAndBack(({ method, path }) => method === 'PATCH' && path.includes('/configmaps/w'))
      await sandbox.settled()
      expect((await sandbox.get(CONFIG_MAP, 'w'))?.data, 'no watch has shown it yet').to.deep.equal({ size: '2' })
    } finally {
      watch.letGo()
    }
    await sandbox.until(
      () => sandbox.get(CONFIG_MAP, 'w'),
      (map) => JSON.stringify(map?.data) === '{"size":"1"}',
    )
  })
})
