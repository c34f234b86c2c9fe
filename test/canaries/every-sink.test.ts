import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { KubeClient } from '../../src/core/kube/client.ts'
import { Metrics } from '../../src/engine/runtime/metrics.ts'
import { clientWith } from '../support/client-with.ts'
import { credsOf, READ_CREDS } from '../support/creds.ts'
import { OperatorSandbox, projectOf, WIDGET } from '../support/operator-sandbox.ts'
import { RecordedLog } from '../support/secret-sinks.ts'
import { diffInRound, publishedInRound, renderInRound } from './sinks.ts'
import { SPELLINGS, Traces } from './traces.ts'

const VALUE = 'c4nary "Tr0ub4dor" >>>>~~~~ 9xQ'
/** The role makes this name of it. */
const NAME = 'c4nary-tr0ub4dor-9xq'
const MADE = "$lowercase($replace($base64decode($creds.data.password), /[^A-Za-z0-9]+/, '-'))"

/** Each in a key of a ConfigMap: `check` cannot know that what is read there is a copy. */
const TEXTS = [
  ['the value', VALUE],
  ['a name that the role made of the value', NAME],
].flatMap(([what, text]) =>
  Object.entries(SPELLINGS).map(([how, spell]) => [`${what}, ${how}`, spell(text ?? '')] as const),
)

const ALL = TEXTS.map((_, index) => `${index}=\${$copy.data.k${index}}`).join(' ')
const REDACTED = TEXTS.map((_, index) => `${index}=<redacted>`).join(' ')

const COPY = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'copy' },
  data: Object.fromEntries(TEXTS.map(([, text], index) => [`k${index}`, text])),
}

const ROLE = `tasks:
${READ_CREDS}  - set: { made: "\${${MADE}}" }
  - get: { apiVersion: v1, kind: ConfigMap, name: copy }
    register: copy
  - event: { type: Normal, reason: Shown, message: "${ALL}" }
  - ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: own }, data: { it: "\${spec.round} ${ALL}" } }
${TEXTS.map(
  (_, index) => `  - block:
      tasks: [{ status: { s${index}: "\${$copy.data.k${index}}" } }]
      rescue: [{ status: { why${index}: "\${$failure.message}" } }]
`,
).join('')}  - fail: { message: "${ALL}" }
`

interface Sink {
  readonly name: string
  /** What stands there instead: without it, the sink would prove nothing. Absent where only the engine's own words stand. */
  readonly instead: readonly string[]
}

const SINKS: readonly Sink[] = [
  {
    name: 'status',
    instead: [
      REDACTED,
      ...TEXTS.map((_, index) => `cannot set \`status.s${index}\`: it would show a value of a Secret`),
    ],
  },
  { name: 'events', instead: [REDACTED] },
  { name: 'log', instead: [REDACTED] },
  { name: 'reports and traces of runs', instead: [REDACTED, '(sensitive)'] },
  { name: 'explain', instead: [REDACTED, '(sensitive)'] },
  { name: 'history', instead: [REDACTED] },
  { name: 'diff', instead: [REDACTED, '(sensitive)'] },
  { name: 'render', instead: [REDACTED] },
  { name: 'ledger', instead: [] },
  { name: 'metrics', instead: [] },
  { name: 'warnings', instead: [] },
]

/** The first write of a status fails with an error that only the log shows. */
function clientWithDefect(client: KubeClient, message: string): KubeClient {
  let failures = 0
  return clientWith(client, {
    patch: async (gvk, key, patch, options) => {
      if (options.subresource === 'status' && failures++ === 0) throw new Error(message)
      return client.patch(gvk, key, patch, options)
    },
  })
}

describe('every spelling of a secret value that is covered', () => {
  let sandbox: OperatorSandbox
  let published: ReadonlyMap<string, string>

  before(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false })
    const given = [credsOf({ password: VALUE }), COPY]
    for (const object of given) await sandbox.apply(object)
    const sources = { sandbox, log: new RecordedLog(), metrics: new Metrics({ version: 'test' }) }
    const project = await projectOf({ widget: ROLE })
    const client = clientWithDefect(sandbox.client, TEXTS.map(([, text], index) => `${index}=${text}`).join(' '))
    sandbox.run(project, { logger: sources.log.logger, metrics: sources.metrics, client })
    const widget = await sandbox.widget('w', { round: 1 })
    await sandbox.ready('Failed', { generation: 1 })
    // A change of the object shows in the trace, the next one in the difference.
    await sandbox.edit(WIDGET, 'w', { spec: { round: 2 } })
    await sandbox.ready('Failed', { generation: 2 })
    await sandbox.settled()
    const byOperator = await publishedInRound(sources)
    await sandbox.halt()
    await sandbox.edit(WIDGET, 'w', { spec: { round: 3 } })
    const diff = await diffInRound(sources, project)
    const named = [...given, { ...widget, metadata: { name: 'w' } }]
    const inNamespace = named.map((one) => ({ ...one, metadata: { ...one.metadata, namespace: 'default' } }))
    const render = await renderInRound(sources, project, inNamespace)
    published = new Map([...byOperator, ['diff', diff], ['render', render]])
  })
  after(() => sandbox.stop())

  for (const { name, instead } of SINKS) {
    it(`is kept out of the ${name}`, () => {
      const text = published.get(name) ?? ''
      expect(new Traces([VALUE, NAME]).in(text)).to.equal(undefined)
      for (const [what, spelling] of TEXTS) expect(text, what).to.not.contain(spelling)
      for (const words of instead) expect(text).to.contain(words)
    })
  }

  it('is listed in SECURITY.md', () => {
    const [, table = ''] =
      /\| Spelling \|.*\n\| --- \| --- \|\n((?:\|.*\n)+)/.exec(readFileSync('SECURITY.md', 'utf8')) ?? []
    const listed = [...table.matchAll(/^\| ([^|]+) \| `(.+)` \|$/gm)].map(([, name, example]) => [name, example])
    expect(listed).to.deep.equal(Object.entries(SPELLINGS).map(([name, spell]) => [name, spell('a "b" >>>')]))
  })

  it('is looked for in every sink that there is', () => {
    expect([...published.keys()].toSorted()).to.deep.equal(SINKS.map(({ name }) => name).toSorted())
  })
})
