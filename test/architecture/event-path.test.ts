import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { recording } from '../../src/core/kube/client-decorators.ts'
import { OperatorSandbox, projectOf } from '../support/operator-sandbox.ts'

const SRC = join(import.meta.dirname, '../../src')
const LONGEST_PATH = 18

/** Around a request: they hand it on as it is while nothing is wrong. */
const WRAPPERS = [
  'core/kube/client-decorators.ts',
  'engine/runtime/counting-client.ts',
  'engine/reconcile/apply/request-failure.ts',
]

/** What the stacks show, or they have been cut and prove nothing. */
const MUST_BE_SEEN = [
  'runtime/reflector',
  'operator/controller-for-kind',
  'runtime/controller',
  'reconcile/role-reconciler',
  'reconcile/run/role-run',
  'role/run-role',
  'role/run-tasks',
  'tasks/ensure',
  'reconcile/apply/apply-object',
].map((name) => `engine/${name}.ts`)

/** The files of the numbered story, in its order. */
function filesOfStory(page: string): readonly string[] {
  const [, story = ''] = /\n(1\. [\s\S]*?)\n\n/.exec(page.slice(page.indexOf('## How an event becomes a change'))) ?? []
  const names = [...story.matchAll(/`([\w/-]+\.ts)`/g)].map(([, name = '']) => name)
  return names.map((name) => (name.startsWith('core/') ? name : `engine/${name}`))
}

/** The files of `src` whose functions have called, or await, what is called now. */
function callers(): readonly string[] {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = Number.POSITIVE_INFINITY
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return [...new Set([...stack.matchAll(/\/src\/([\w/.-]+\.ts)/g)].map(([, file = '']) => file))]
}

describe('the path of one event to one write', () => {
  const story = filesOfStory(readFileSync(join(SRC, 'README.md'), 'utf8'))

  it('names files that exist, each once', () => {
    expect(story.filter((file) => !existsSync(join(SRC, file)))).to.deep.equal([])
    expect(new Set(story).size).to.equal(story.length)
  })

  it(`passes at most ${LONGEST_PATH} files`, () => expect(story.length).to.be.within(1, LONGEST_PATH))

  it('passes no file that the story leaves out, and in its order', async () => {
    const sandbox = await OperatorSandbox.start({ workloads: false })
    const [toQueue, toWrite] = [new Set<string>(), new Set<string>()]
    // The queue asks the time for each request that becomes ready.
    const monotonic = (): number => {
      const files = callers()
      const isQueued = files[0] === 'engine/runtime/work-queue.ts' && files.includes('engine/runtime/reflector.ts')
      for (const file of isQueued ? files : []) toQueue.add(file)
      return systemClock.monotonic()
    }
    const apply: KubeClient['apply'] = (object, options) => {
      for (const file of object.metadata.name === 'made-of-w' ? callers() : []) toWrite.add(file)
      return sandbox.client.apply(object, options)
    }
    try {
      const client = { ...recording(sandbox.client, () => undefined), apply }
      sandbox.run(await projectOf({ widget: ROLE }), { client, clock: { ...systemClock, monotonic } })
      await sandbox.settled()
      await sandbox.widget('w', { size: 'one' })
      await sandbox.settled()
    } finally {
      await sandbox.stop()
    }
    const passed = [...[...toQueue].reverse(), ...[...toWrite].reverse()]
    expect(new Set(passed)).to.include.all.keys(...MUST_BE_SEEN)
    const known = new Set([...story, ...WRAPPERS])
    expect(passed.filter((file) => !known.has(file))).to.deep.equal([])
    expect(story.filter((file) => passed.includes(file))).to.deep.equal(
      [...new Set(passed)].filter((file) => story.includes(file)),
    )
  })
})

/** A graph begins tasks from callbacks, where no stack shows who called: in order, each caller awaits the next. */
const ROLE = `
order: sequential
tasks:
  - name: Config
    ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "made-of-\${metadata.name}"}, data: {size: "\${spec.size}"}}
`
