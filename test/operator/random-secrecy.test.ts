import { expect } from 'chai'
import { OperatorSandbox, projectOf, WIDGET } from '../support/operator-sandbox.ts'
import { formsIn, RecordedLog, toldBy } from '../support/secret-sinks.ts'

/** Numbers that only depend on the seed. */
class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.#state / 2 ** 32) * limit)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /+=&"\'\\-_.:äß€'

/** Text as people choose passwords, which YAML, JSON, URLs and Go print in different ways. */
function randomSecret(dice: Dice): string {
  return Array.from({ length: 12 + dice.below(30) }, () => dice.pick([...LETTERS])).join('')
}

/** Ways to get hold of the Secret's text, and of things that are made of it. */
const VALUES: readonly string[] = [
  '$creds.data.password',
  '$base64decode($creds.data.password)',
  "'(' & $base64decode($creds.data.password) & ')'",
  '$string($creds.data)',
  '$toJson({"p": $base64decode($creds.data.password)})'.replaceAll('"', "'"),
  '$encodeUrlComponent($base64decode($creds.data.password))',
  '$join($each($creds.data, function($v, $k) { $k & $base64decode($v) }))',
  '$before.data.it',
  '$string($before)',
  '$sha256($creds.data)',
  'metadata.name',
]

/** Ways for it to go, each a task. `@V` is the value, `@N` a number that no other task has. */
const TASKS: readonly string[] = [
  '  - {name: T @N, when: "${$contains(@V, \'a\')}", wait: {for: "${false}", message: "waits @N for ${@V}"}}\n',
  '  - {name: T @N, assert: {that: ["${$length(@V) < 5}"], message: "asserts @N ${@V}"}}\n',
  '  - {name: T @N, when: "${$contains(@V, \'b\')}", fail: {message: "fails @N with ${@V}"}}\n',
  '  - {name: T @N, set: {v@N: "${@V}"}}\n',
  '  - {name: T @N, set: {n@N: "${$number(@V)}"}}\n',
  '  - {name: T @N, set: {e@N: "${$error(@V)}"}}\n',
  '  - {name: T @N, event: {type: Normal, reason: Told, message: "event @N of ${@V}"}}\n',
  '  - {name: T @N, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: before}, data: {it: "${@V}"}}}\n',
  '  - {name: T @N, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: m-@N, labels: {l: "${@V}"}}, data: {it: "${@V}"}}}\n',
  '  - {name: T @N, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${@V}"}}}\n',
  '  - {name: T @N, ensure: {apiVersion: v1, kind: Secret, metadata: {name: s-@N}, stringData: {k: "${@V}"}}, generate: {g: {}}, register: r@N, readyWhen: "${false}"}\n',
  '  - {name: T @N, loop: "${[@V]}", loopVar: i@N, assert: {that: ["${false}"], message: "item @N ${$i@N}"}}\n',
  '  - {name: T @N, block: {tasks: [{name: U @N, fail: {message: "inner @N ${@V}"}}], rescue: [{status: {f@N: "${$failure.message}"}}]}}\n',
  '  - {name: T @N, status: {s@N: {x: ["${$before.data.it}"]}}}\n',
  '  - {name: T @N, status: {d@N: "${$sha256(@V)}"}}\n',
  '  - {name: T @N, sensitive: true, set: {z@N: "${@V}"}}\n',
]

function randomRole(dice: Dice): string {
  const reads = [
    '  - {get: {apiVersion: v1, kind: Secret, name: creds}, register: creds}\n',
    '  - {get: {apiVersion: v1, kind: ConfigMap, name: before, optional: true}, register: before}\n',
  ]
  const tasks = Array.from({ length: 2 + dice.below(5) }, (_, index) =>
    dice
      .pick(TASKS)
      .replaceAll('@V', () => dice.pick(VALUES))
      .replaceAll('@N', String(index)),
  )
  return `tasks:\n${(dice.below(2) === 0 ? reads : reads.toReversed()).join('')}${tasks.join('')}`
}

const SEED = 20_261_121
const ROLES = 40

describe('D4: whatever a role does with a Secret', function () {
  this.timeout(120_000)
  let sandbox: OperatorSandbox
  before(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
  })
  after(() => sandbox.stop())

  it(`its text is told nowhere (${ROLES} random roles, seed ${SEED})`, async () => {
    const dice = new Dice(SEED)
    let ran = 0
    for (let round = 0; round < ROLES; round++) {
      const password = randomSecret(dice)
      const role = randomRole(dice)
      const project = await projectOf({ widget: role }).catch(() => undefined)
      if (!project) continue
      ran += 1
      await sandbox.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'creds' }, stringData: { password } })
      await sandbox.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'before' }, data: { it: password } })
      await sandbox.widget('w')
      const log = new RecordedLog()
      sandbox.runs.length = 0
      sandbox.run(project, { logger: log.logger })
      await sandbox.until(
        async () => sandbox.runs.length,
        (count) => count > 0,
      )
      await sandbox.settled()
      expect(formsIn(await toldBy(sandbox, log), password), role).to.deep.equal([])
      await sandbox.halt()
      await sandbox.remove(WIDGET, 'w')
    }
    // Roles that check refuses are no proof of anything.
    expect(ran).to.be.greaterThan(ROLES / 3)
  })
})
