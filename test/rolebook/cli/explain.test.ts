import { mkdirSync } from 'node:fs'
import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import type { JsonObject } from '../../../src/core/base/json.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { ApiError } from '../../../src/core/kube/api-error.ts'
import type { KubeObject } from '../../../src/core/kube/object.ts'
import type { Connection } from '../../../src/core/kube-client/connect.ts'
import type { ResourceHistory } from '../../../src/engine/operator/run-history.ts'
import type { RunTrace } from '../../../src/engine/reconcile/trace/run-trace.ts'
import { askOperator } from '../../../src/rolebook/cli/explain/ask-operator.ts'
import { explainPath, explainRoute, PROOF_HEADER, proofOf } from '../../../src/rolebook/cli/explain/explain-route.ts'
import { printHistory } from '../../../src/rolebook/cli/explain/print-history.ts'
import { openToQuestions, recordOfSandbox } from '../../../src/rolebook/cli/local-operator.ts'
import { runProgram } from '../../../src/rolebook/cli/run-program.ts'
import { writeKubeconfig } from '../../../src/sandbox/cluster/kubeconfig.ts'
import { besidesCheck } from '../../support/besides-check.ts'
import { credsOf } from '../../support/creds.ts'
import { FakeTerminal } from '../../support/fake-terminal.ts'
import { long } from '../../support/long-tests.ts'
import { CONFIG_MAP, crd, OperatorSandbox, projectOf, WIDGET } from '../../support/operator-sandbox.ts'
import { formsIn } from '../../support/secret-sinks.ts'
import { steadyText } from '../../support/steady-text.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const PASSWORD = 'c4nary/Tr0ub4dor-9xQ'
const TASKS = `
  - name: Settings
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "\${metadata.name}" }, data: { text: "\${spec.text}" } }
  - get: { apiVersion: v1, kind: Secret, name: creds }
    register: creds
  - name: Copy
    ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: copy }, data: { it: "\${$base64decode($creds.data.password)}" } }
  - name: Hold
    wait: { for: "\${spec.go}", message: "not yet with \${spec.text}" }`

describe('rolebook explain', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  const ending = new AbortController()
  const { at, write } = folder
  let sandbox: OperatorSandbox
  let serving: Promise<void>

  before(async () => {
    sandbox = await OperatorSandbox.start({ workloads: false, tls: true })
    mkdirSync(at('sandbox'))
    const kubeconfig = at('sandbox/kubeconfig')
    for (const path of [kubeconfig, at('kubeconfig')]) writeKubeconfig(path, sandbox.access)
    await sandbox.apply(credsOf({ password: PASSWORD }))
    await sandbox.widget('w', { text: 'one' })
    const operator = sandbox.run(await projectOf({ widget: `tasks:${TASKS}\n` }))
    const route = explainRoute({ history: operator.history, client: sandbox.client, leads: () => true })
    const options = {
      record: recordOfSandbox(kubeconfig),
      serverUrl: sandbox.access.url,
      clock: systemClock,
      logger: nopLogger,
    }
    serving = (await openToQuestions(route, options)).start(ending.signal)
    await sandbox.ready('Waiting')
    await sandbox.settled()
    await sandbox.edit(WIDGET, 'w', { spec: { text: 'two' } })
    await sandbox.ready('Waiting', { generation: 2 })
    await sandbox.settled()
    await sandbox.edit(CONFIG_MAP, 'w', { data: { text: 'mine' } })
    const isBack = (seen: unknown): boolean => JSON.stringify(seen).includes('"two"')
    await sandbox.until(() => sandbox.get(CONFIG_MAP, 'w'), isBack)
    await sandbox.settled()
    write('watches.yaml', '- { group: example.com, version: v1, kind: Widget, role: widget }\n')
    write('roles/widget/role.yaml', `tasks:${TASKS}\n`)
  })
  after(async () => {
    ending.abort()
    await serving
    await sandbox.stop()
    folder.remove()
  })

  async function explain(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    const terminal = new FakeTerminal({ environment: { KUBECONFIG: at('sandbox/kubeconfig') } })
    const flags = ['--watches-file', at('watches.yaml'), '--roles-path', at('roles')]
    const kubeconfig = args.includes('--kubeconfig') ? [] : ['--kubeconfig', at('sandbox/kubeconfig')]
    const code = await runProgram(['explain', ...flags, ...kubeconfig, ...args], terminal)
    return { code, out: terminal.stdout, err: besidesCheck(terminal.stderr) }
  }

  it('asks the operator of a sandbox what triggered its runs, what they did and why', async () => {
    const { code, out, err } = await explain('widget', 'w', '--runs', '20')
    expect({ code, err }).to.deep.equal({ code: 0, err: '' })
    const text = steadyText(out)
    expect(text).to.contain(`TIME waiting, because the operator started
  Settings      changed
      created ConfigMap default/w
  get (task 2)  unchanged
      read Secret default/creds
  Copy          changed
      created ConfigMap default/copy
  Hold          waiting
      wait.for: \${spec.go} is false
      not yet with one
  Waiting: task "Hold": not yet with one
  status written: observedGeneration, conditions
`)
    expect(text).to.contain(`because the resource was edited: spec.text (resourceVersion N)
  Settings      changed
      changed ConfigMap default/w
        data.text: "one" → "two"   \${spec.text}
`)
    expect(text).to.contain(`      corrected ConfigMap default/w: data.text had been changed by "person"
        data.text: "mine" → "two"   \${spec.text}
`)
  })

  const NAMES = [['Widget', 'w'], ['widgets/w'], ['widget.example.com', 'w', '-n', 'default']]
  for (const name of NAMES) {
    it(`takes ${name.join(' ')}, and prints as many runs as are asked for`, async () => {
      const { out } = await explain(...name, '-o', 'json', '--runs', '1')
      const history = JSON.parse(out) as ResourceHistory
      expect(history.runs).to.have.length(1)
      expect(history.runs[0]?.role).to.equal('widget')
    })
  }

  it('prints yaml', async () => {
    expect((await explain('widget/w', '-o', 'yaml', '--runs', '1')).out).to.match(/^runs:\n {2}- at: /)
  })

  it('says which shard has the resource, and which replica holds it', async () => {
    const lease = (name: string, holderIdentity: string): KubeObject => {
      const spec = { holderIdentity }
      return {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace: 'default' },
        spec,
      } as never
    }
    await sandbox.apply(lease('sharded', '1 shards'))
    await sandbox.apply(lease('sharded-shard-0', 'rolebook-7d9f_0a1b'))
    const args = ['widget', 'w', '--runs', '1', '--operator-name', 'sharded'] as const
    expect((await explain(...args)).out).to.match(/^shard 0 of 1, held by rolebook-7d9f\n\n/)
    const { shard, runs } = JSON.parse((await explain(...args, '-o', 'json')).out)
    expect([shard, runs.length]).to.deep.equal([{ index: 0, count: 1, heldBy: 'rolebook-7d9f' }, 1])
  })

  long.it('shows no value of a Secret', async () => {
    for (const args of [[], ['--fresh']]) {
      for (const output of ['text', 'json', 'yaml']) {
        const { out, err } = await explain('widget', 'w', '--runs', '20', '-o', output, ...args)
        expect(formsIn(out + err, PASSWORD)).to.deep.equal([])
      }
    }
  })

  it('runs the roles of the folder without writing when no operator answers, and says so', async () => {
    const { metadata } = (await sandbox.get(WIDGET, 'w')) ?? {}
    const { code, out, err } = await explain('widget', 'w', '--kubeconfig', at('kubeconfig'))
    expect(code).to.equal(0)
    expect(err).to.match(/^no operator answers \(.+\): this is what the roles of the folder would do now\n$/)
    expect(steadyText(out)).to.match(/^TIME waiting, because it was time\n {2}Settings {6}unchanged\n/)
    expect((await sandbox.get(WIDGET, 'w'))?.metadata.resourceVersion).to.equal(metadata?.resourceVersion)
  })

  const WRONG = [
    { name: 'no name', args: ['widget'], code: 2, err: 'a name is missing' },
    { name: 'a resource that is not there', args: ['widget', 'v'], code: 1, err: 'there is no Widget default/v' },
    {
      name: 'an unknown kind',
      args: ['gizmo', 'w'],
      code: 2,
      err: 'no kind "gizmo" is known: the custom resources of the cluster are ',
    },
    { name: 'a kind without a role', args: ['gadget', 'g', '--fresh'], code: 2, err: 'looks after Gadget g' },
    {
      name: 'no roles',
      args: ['widget', 'w', '--fresh', '--watches-file', '/nowhere.yaml'],
      code: 2,
      err: 'there are no roles: /nowhere.yaml is missing',
    },
  ]
  for (const { name, args, code, err } of WRONG) {
    it(`says what is wrong: ${name}`, async () => {
      if (args.includes('g'))
        await sandbox.apply({ apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g' } })
      const printed = await explain(...args)
      expect(printed.code, printed.err).to.equal(code)
      expect(printed.err).to.contain(err)
    })
  }

  it('says what is wrong: a kind that is not served', async () => {
    const definition = crd({ group: 'example.com', version: 'v1', kind: 'Unserved' })
    const [version] = (definition.spec as { versions: readonly object[] }).versions
    await sandbox.apply({
      ...definition,
      spec: { ...(definition.spec as object), versions: [{ ...version, served: false }] },
    })
    const { code, err } = await explain('unserved', 'x')
    expect({ code, err }).to.deep.equal({
      code: 2,
      err: 'rolebook explain: the server does not serve Unserved.example.com\n',
    })
  })

  it('says what is wrong with the roles', async () => {
    write('broken/widget/role.yaml', 'tasks:\n  - nothing: {}\n')
    expect((await explain('widget', 'w', '--fresh', '--roles-path', at('broken'))).code).to.equal(2)
  })

  describe('at its route', () => {
    const ask = async (
      path: string,
      proof: string | undefined,
      leads = true,
    ): Promise<{ status: number; body: string }> => {
      const history = sandbox.operator?.history ?? { of: () => undefined }
      const route = explainRoute({ history, client: sandbox.client, leads: () => leads })
      const header = (name: string): string | undefined => (name === PROOF_HEADER ? proof : undefined)
      const signal = new AbortController().signal
      return route.handle({ path, query: new URLSearchParams(), signal, header })
    }
    const path = explainPath(WIDGET, { namespace: 'default', name: 'w' })

    it('answers who has read the resource as it is', async () => {
      const resource = await sandbox.get(WIDGET, 'w')
      const { status, body } = await ask(path, resource && proofOf(resource))
      expect([status, body]).to.deep.include(200)
      expect(body).to.contain('"tasks"')
    })

    it('knows of no runs where there were none', async () => {
      const resource = await sandbox.apply({
        apiVersion: 'example.com/v1',
        kind: 'Gadget',
        metadata: { name: 'quiet' },
      })
      const gadget = { ...WIDGET, kind: 'Gadget' }
      const { body } = await ask(explainPath(gadget, { namespace: '', name: 'quiet' }), proofOf(resource))
      expect(JSON.parse(body)).to.deep.equal({ runs: [], skipped: 0 })
    })

    const REFUSED = [
      { name: 'nothing', proof: undefined },
      { name: 'what is not a proof', proof: 'x' },
      { name: 'the proof of another resource', proof: 'a'.repeat(64) },
    ]
    for (const { name, proof } of REFUSED) {
      it(`refuses a client that shows ${name}, and does not even say whether there is such a resource`, async () => {
        const answers = [await ask(path, proof), await ask(path.replace(/w$/, 'no'), proof)]
        expect(answers.map(({ status }) => status)).to.deep.equal([403, 403])
        expect(answers[0]).to.deep.equal(answers[1])
      })
    }

    it('refuses a client that has read a former version of the resource', async () => {
      const resource = await sandbox.get(WIDGET, 'w')
      const former = resource && { ...resource, spec: { text: 'former' } }
      expect((await ask(path, former && proofOf(former))).status).to.equal(403)
    })

    const PATHS = ['/explain/', '/explain/a/b/c/d', '/explain/a/b/c/d/e/f', '/explain/a/b/c/d/-', '/explain/%/b/c/d/e']
    for (const wrong of PATHS) {
      it(`knows nothing at ${wrong}`, async () => expect((await ask(wrong, 'a'.repeat(64))).status).to.equal(404))
    }

    it('knows nothing of kinds that are not served', async () => {
      expect((await ask('/explain/no.example.com/v1/Nothing/-/x', 'a'.repeat(64))).status).to.equal(403)
    })

    it('fails when the API server does', async () => {
      const client = { get: () => Promise.reject(new ApiError(500, 'InternalError', 'broken')) }
      const route = explainRoute({ history: { of: () => undefined }, client, leads: () => true })
      const header = (): string => 'a'.repeat(64)
      const request = { path, query: new URLSearchParams(), signal: new AbortController().signal, header }
      expect(await Promise.resolve(route.handle(request)).catch(({ reason }) => reason)).to.equal('InternalError')
    })

    it('sends on from a process that does not lead', async () => {
      const { status, body } = await ask(path, 'a'.repeat(64), false)
      expect([status, JSON.parse(body).reason]).to.deep.equal([404, 'NotLeading'])
    })

    it('asks the API server for so many at once and no more', async () => {
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const client = { get: () => promise }
      const route = explainRoute({ history: { of: () => undefined }, client, leads: () => true })
      const header = (): string => 'a'.repeat(64)
      const request = { path, query: new URLSearchParams(), signal: new AbortController().signal, header }
      const answers = Array.from({ length: 10 }, () => Promise.resolve(route.handle(request)))
      resolve(undefined)
      const statuses = (await Promise.all(answers)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 503)).to.have.length(2)
    })
  })
})

describe('askOperator', () => {
  const GVK = { group: 'example.com', version: 'v1', kind: 'Widget' }
  const resource = {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'default', uid: 'u' },
  }
  const refusal = (reason: string, status: number, details?: object): ApiError =>
    new ApiError(status, reason, `${reason} it is`, { status: { details } as JsonObject })
  const HISTORY = '{"runs": [], "skipped": 0}'
  interface Case {
    readonly name: string
    readonly answers: readonly (string | Error)[]
    readonly asked: number
    readonly result: unknown
    readonly operatorName?: string
  }
  const cases: readonly Case[] = [
    { name: 'takes the first answer', answers: [HISTORY], asked: 1, result: { history: JSON.parse(HISTORY) } },
    {
      name: 'asks on for the process that leads, and after the resource has changed meanwhile',
      answers: [refusal('NotLeading', 404), refusal('Forbidden', 403), HISTORY],
      asked: 3,
      result: { history: JSON.parse(HISTORY) },
    },
    {
      name: 'takes no for an answer from the API server',
      answers: [refusal('Forbidden', 403, { name: 'https:rolebook-metrics:8443' }), HISTORY],
      asked: 1,
      result: { problem: 'Forbidden it is' },
    },
    {
      name: 'asks an operator of another name at its own Service',
      answers: [HISTORY],
      asked: 1,
      result: { history: JSON.parse(HISTORY) },
      operatorName: 'web',
    },
    { name: 'takes nothing else for an answer', answers: ['<html>'], asked: 1, result: undefined },
    {
      name: 'gives up when no process leads',
      answers: Array.from({ length: 40 }, () => refusal('NotLeading', 404)),
      asked: 30,
      result: { problem: 'NotLeading it is' },
    },
  ]
  for (const { name, answers, asked, result, operatorName = 'rolebook' } of cases) {
    it(name, async () => {
      const paths: string[] = []
      const read = async (path: string): Promise<string> => {
        const answer = answers[paths.push(path) - 1]
        if (typeof answer === 'string') return answer
        throw answer
      }
      const connection = { read } as unknown as Connection
      const operator = { operatorUrl: undefined, operatorNamespace: 'ops', operatorName }
      const found = await askOperator(GVK, { connection, ...operator, read: async () => resource })
      if (result) expect(found).to.deep.equal(result)
      else expect(found).to.have.property('problem')
      const service = `https:${operatorName}-metrics:8443`
      const path = `/api/v1/namespaces/ops/services/${service}/proxy/explain/example.com/v1/Widget/default/w`
      expect(paths).to.deep.equal(Array.from({ length: asked }, () => path))
    })
  }
})

describe('printHistory', () => {
  const run: RunTrace = {
    at: '2026-11-21T21:00:00.000Z',
    milliseconds: 12.5,
    uid: 'u',
    role: 'widget',
    woken: [{ kind: 'changed', object: 'Deployment default/web', how: 'updated', resourceVersion: '7' }],
    outcome: 'complete',
    tasks: [],
    requests: {},
  }
  const cases: readonly { name: string; history: ResourceHistory; color?: boolean; runs?: number; text: string }[] = [
    { name: 'says that there is nothing', history: { runs: [], skipped: 0 }, text: 'no run is remembered\n' },
    {
      name: 'counts what is not shown, and what was skipped since',
      history: { runs: [run, run, run], skipped: 1, skippedAt: 0 },
      runs: 1,
      text: `2 earlier runs: --runs 3

2026-11-21T21:00:00.000Z complete in 12.5 ms, because Deployment default/web was updated (resourceVersion 7)
  requests: none

since then nothing had changed: one run was skipped, the last at 1970-01-01T00:00:00.000Z
`,
    },
    {
      name: 'counts one that is not shown',
      history: { runs: [run, run], skipped: 0 },
      runs: 1,
      text: `1 earlier run: --runs 2

2026-11-21T21:00:00.000Z complete in 12.5 ms, because Deployment default/web was updated (resourceVersion 7)
  requests: none
`,
    },
    {
      name: 'prints loops, blocks, what was cut and removed, and lets no text command the terminal',
      history: {
        runs: [
          {
            ...run,
            outcome: 'failed',
            list: 'finalize',
            woken: [{ kind: 'deleted' }, { kind: 'retry' }],
            more: 3,
            removed: ['ConfigMap default/x'],
            tasks: [
              {
                name: 'Each',
                outcome: 'changed',
                milliseconds: 2,
                objects: [{ object: 'Pod', did: 'listed', count: 2 }],
              },
              {
                name: 'Each',
                depth: 1,
                item: 0,
                outcome: 'failed',
                why: ['Invalid: \u001b[2Jbad'],
                objects: [
                  { object: 'ConfigMap default/a', did: 'missing' },
                  {
                    object: 'ConfigMap default/a',
                    did: 'corrected',
                    lost: ['data.a', 'data.b'],
                    fields: [
                      { field: 'data.a', from: '"x"' },
                      { field: 'data.b', to: '"y"' },
                    ],
                    more: 4,
                  },
                ],
              },
            ],
          },
        ],
        skipped: 2,
        skippedAt: 0,
      },
      text: `2026-11-21T21:00:00.000Z failed (finalize) in 12.5 ms, because the resource is deleted; a failure is tried again
  Each   changed in 2 ms
      listed 2 Pod
    [0]  failed
        Invalid:  [2Jbad
        found no ConfigMap default/a
        corrected ConfigMap default/a: data.a, data.b had been changed by another client
          data.a: "x" → nothing
          data.b: nothing → "y"
          and 4 more fields
  and 3 more
  - ConfigMap default/x
  requests: none

since then nothing had changed: 2 runs were skipped, the last at 1970-01-01T00:00:00.000Z
`,
    },
    {
      name: 'names whose fields an adoption took over, and who has fields that the role sets or has dropped',
      history: {
        runs: [
          {
            ...run,
            tasks: [
              {
                name: 'A',
                outcome: 'changed',
                objects: [
                  {
                    object: 'ConfigMap default/a',
                    did: 'adopted',
                    taken: ['helm', 'kubectl-edit'],
                    shared: [{ by: 'other', fields: ['data.a', 'data.b'] }],
                    kept: [{ by: 'other', fields: ['data.c'] }],
                  },
                ],
              },
            ],
          },
        ],
        skipped: 0,
      },
      text: `2026-11-21T21:00:00.000Z complete in 12.5 ms, because Deployment default/web was updated (resourceVersion 7)
  A  changed
      adopted ConfigMap default/a, with the fields of "helm", "kubectl-edit"
        held by "other" as well: data.a, data.b
        dropped by the role, but held by "other": data.c
  requests: none
`,
    },
    {
      name: 'colours what a run came to',
      history: { runs: [{ ...run, tasks: [{ name: 'A', outcome: 'waiting' }] }], skipped: 0 },
      color: true,
      text: `\u001b[1m2026-11-21T21:00:00.000Z\u001b[0m \u001b[32mcomplete\u001b[0m in 12.5 ms, because Deployment default/web was updated (resourceVersion 7)
  A  \u001b[36mwaiting\u001b[0m
  requests: none
`,
    },
  ]
  for (const { name, history, color = false, runs = 20, text } of cases) {
    it(name, () => expect(printHistory(history, { color, runs })).to.equal(text))
  }
})
