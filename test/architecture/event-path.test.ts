import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { systemClock } from '../../src/core/base/clock.ts'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { recording } from '../../src/core/kube/client-decorators.ts'
import { OperatorSandbox, projectOf } from '../support/operator-sandbox.ts'

const SRC = join(import.meta.dirname, '../../src')

/**
 * How many files the numbered story may name. It counts those that the call passes on its way, so those that are on the stack when
 * the request is queued and when the write is sent; and two that decide on the way and have returned by then, the gates and the
 * table of reasons to write. It does not count files that are only asked (caches, helpers, types), nor the wrappers below.
 */
const LONGEST_PATH = 18

/** Around a request: they hand it on as it is while nothing is wrong. They are passed, too, and the story leaves them out. */
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
  'reconcile/run/run-role-once',
  'role/run/run-role',
  'role/run/run-tasks',
  'tasks/ensure',
  'reconcile/apply/apply-object',
].map((name) => `engine/${name}.ts`)

/** A graph begins tasks from callbacks, where no stack shows who called: in order, each caller awaits the next. */
const MUST_BE_SEEN_IN_A_GRAPH = ['role/run/run-tasks', 'tasks/ensure', 'reconcile/apply/apply-object'].map(
  (name) => `engine/${name}.ts`,
)

/** The files of the numbered story, in its order. */
function filesOfStory(page: string): readonly string[] {
  const [, story = ''] = /\n(1\. [\s\S]*?)\n\n/.exec(page.slice(page.indexOf('## How an event becomes a change'))) ?? []
  const names = [...story.matchAll(/`([\w/-]+\.ts)`/g)].map(([, name = '']) => name)
  return names.map((name) => (name.startsWith('core/') ? name : `engine/${name}`))
}

/** The files of `src` whose functions have called, or await, what is called now, in the order in which the call left them. */
function callers(): readonly string[] {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = Number.POSITIVE_INFINITY
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  const files = [...stack.matchAll(/\/src\/([\w/.-]+\.ts)/g)].map(([, file = '']) => file)
  return [...new Set(files)].reverse()
}

describe('the path of one event to one write', () => {
  const story = filesOfStory(readFileSync(join(SRC, 'README.md'), 'utf8'))
  const known = new Set([...story, ...WRAPPERS])

  it('names files that exist, each once', () => {
    expect(story.filter((file) => !existsSync(join(SRC, file)))).to.deep.equal([])
    expect(new Set(story).size).to.equal(story.length)
  })

  it(`passes at most ${LONGEST_PATH} files`, () => expect(story.length).to.be.within(1, LONGEST_PATH))

  it('passes no file that the story leaves out, and in its order', async () => {
    const passed = await filesPassed(`order: sequential\n${ROLE}`)
    expect(passed).to.include.members(MUST_BE_SEEN)
    expect(passed.filter((file) => !known.has(file))).to.deep.equal([])
    expect(story.filter((file) => passed.includes(file))).to.deep.equal(passed.filter((file) => story.includes(file)))
  })

  it('passes no file that the story leaves out where a graph orders the tasks', async () => {
    const passed = await filesPassed(ROLE)
    expect(passed).to.include.members(MUST_BE_SEEN_IN_A_GRAPH)
    expect(passed.filter((file) => !known.has(file))).to.deep.equal([])
  })
})

/** The files that an event passes on its way to the queue, and from there to the write of a role's only object. */
async function filesPassed(role: string): Promise<readonly string[]> {
  const sandbox = await OperatorSandbox.start({ workloads: false })
  const [toQueue, toWrite] = [new Set<string>(), new Set<string>()]
  // The queue asks the time for each request that becomes ready.
  const monotonic = (): number => {
    const files = callers()
    const isQueued = files.at(-1) === 'engine/runtime/work-queue.ts' && files.includes('engine/runtime/reflector.ts')
    for (const file of isQueued ? files : []) toQueue.add(file)
    return systemClock.monotonic()
  }
  const apply: KubeClient['apply'] = (object, options) => {
    for (const file of object.metadata.name === 'made-of-w' ? callers() : []) toWrite.add(file)
    return sandbox.client.apply(object, options)
  }
  try {
    const client = { ...recording(sandbox.client, () => undefined), apply }
    sandbox.run(await projectOf({ widget: role }), { client, clock: { ...systemClock, monotonic } })
    await sandbox.settled()
    await sandbox.widget('w', { size: 'one' })
    await sandbox.settled()
  } finally {
    await sandbox.stop()
  }
  return [...new Set([...toQueue, ...toWrite])]
}

const ROLE = `
tasks:
  - name: Config
    ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "made-of-\${metadata.name}"}, data: {size: "\${spec.size}"}}
`
