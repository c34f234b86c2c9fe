import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { systemClock } from '../../../src/core/base/clock.ts'
import { nopLogger } from '../../../src/core/base/logger.ts'
import { writeKubeconfig } from '../../../src/sandbox/cluster/kubeconfig.ts'
import { SandboxCluster } from '../../../src/sandbox/cluster/sandbox-cluster.ts'
import { builtProgram } from '../../support/built-program.ts'
import { credsOf } from '../../support/creds.ts'
import { long } from '../../support/long-tests.ts'
import { CONFIG_MAP, crd, WIDGET } from '../../support/operator-sandbox.ts'
import { RolebookProcess } from '../../support/rolebook-process.ts'
import { temporaryFolder, writeFiles } from '../../support/temporary-folder.ts'
import { type ReceivedSpan, TraceReceiver } from '../../support/trace-receiver.ts'

const PASSWORD = 'c4nary-tr0ub4dor-9xq'
const BROKEN = { group: 'example.com', version: 'v1', kind: 'Broken' }

const READ_PASSWORD = `  - name: Read the password
    get: { apiVersion: v1, kind: Secret, name: creds }
    register: creds
`
const configMap = (name: string, more = ''): string =>
  `ensure: { apiVersion: v1, kind: ConfigMap, metadata: { name: "${name}"${more} } }`

const PROJECT = {
  'watches.yaml': `- {group: example.com, version: v1, kind: Widget, role: widget}
- {group: example.com, version: v1, kind: Broken, role: broken}
`,
  // Left and Right need nothing of each other.
  'roles/widget/role.yaml': `tasks:
${READ_PASSWORD}  - name: Left
    ${configMap(`left-\${metadata.name}`)}
    after: [Read the password]
  - name: Right
    ${configMap(`right-\${metadata.name}-\${$base64decode($creds.data.password)}`)}
`,
  // The server refuses the label, and quotes it.
  'roles/broken/role.yaml': `tasks:
${READ_PASSWORD}  - name: Refused
    ${configMap('refused', `, labels: { l: "\${$base64decode($creds.data.password) & ' !'}" }`)}
`,
}

/** Writes the address of each module that is loaded into a file. */
const LISTING_HOOK = `import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED_MODULES, url + '\\n')
    return next(url, context)
  },
})
`

describe('traces of rolebook run', function () {
  // The program may have to be built.
  this.timeout(180_000)
  const folder = temporaryFolder()
  let cluster: SandboxCluster
  let receiver: TraceReceiver
  let operator: RolebookProcess | undefined

  before(async () => {
    writeFiles(folder.path, { ...PROJECT, 'hook.mjs': LISTING_HOOK })
    receiver = await TraceReceiver.start()
    cluster = await SandboxCluster.start({ clock: systemClock, logger: nopLogger, workloads: false })
    writeKubeconfig(join(folder.path, 'kubeconfig'), cluster.access)
    await cluster.install(crd(WIDGET), crd(BROKEN))
    await cluster.apply(credsOf({ password: PASSWORD }))
  })
  after(async () => {
    receiver.stop()
    await cluster.stop()
    folder.remove()
  })
  function start(environment: Readonly<Record<string, string>>, program?: string): RolebookProcess {
    const files = ['--watches-file', 'watches.yaml', '--roles-path', 'roles', '--kubeconfig', 'kubeconfig']
    const given = { PATH: env.PATH, HOME: folder.path, OTEL_BSP_SCHEDULE_DELAY: '50', ...environment }
    const args = ['run', ...files, '--log-format', 'json', '--log-level', 'debug']
    operator = new RolebookProcess(args, { cwd: folder.path, env: given, ...(program && { program }) })
    return operator
  }
  const make = (kind: string, name: string) =>
    cluster.apply({ apiVersion: 'example.com/v1', kind, metadata: { name }, spec: { size: 3 } })
  const isMade = (name: string) => (span: ReceivedSpan) =>
    span.parentSpanId === undefined && span.attributes['rolebook.resource.name'] === name
  const linesOf = ({ stderr }: Pick<RolebookProcess, 'stderr'>): readonly Record<string, unknown>[] =>
    stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
  const says = (text: string) => (process: RolebookProcess) => process.stderr.includes(text)

  describe('with an endpoint', () => {
    let process: RolebookProcess
    const environment = (): Record<string, string> => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=blue',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_SERVICE_NAME: 'widgets',
      POD_NAME: 'widgets-0',
      POD_NAMESPACE: 'default',
    })
    let run: ReceivedSpan
    before(async () => {
      process = start(environment())
      await make('Widget', 'first')
      run = await process.during(receiver.span('a run has arrived', isMade('first')))
    })

    after(() => operator?.stop())

    it('are a span of the run, with what woke it and what came of it', () => {
      expect(run.name).to.equal('reconcile Widget.example.com')
      expect(run.attributes).to.deep.include({
        'rolebook.resource.group': 'example.com',
        'rolebook.resource.kind': 'Widget',
        'rolebook.resource.namespace': 'default',
        'rolebook.resource.name': 'first',
        'rolebook.resource.generation': 1,
        'rolebook.role': 'widget',
        'rolebook.run.result': 'complete',
      })
      expect(run.attributes['rolebook.run.woken_by']).to.be.an('array').that.is.not.empty
      expect(run.status.code).to.not.equal(2)
      expect(run.resource).to.include({
        'service.name': 'widgets',
        'k8s.pod.name': 'widgets-0',
        'k8s.namespace.name': 'default',
      })
      expect(receiver.text).to.include('"x-tenant":"blue"')
    })

    it('have the tasks within the run, and within each task the requests that it has sent', () => {
      expect(tree(run)).to.deep.equal({
        'Read the password': ['GET /api/v1/namespaces/{namespace}/secrets/{name} creds'],
        Left: ['PATCH /api/v1/namespaces/{namespace}/configmaps/{name} left-first'],
        Right: ['PATCH /api/v1/namespaces/{namespace}/configmaps/{name} <redacted>'],
      })
      const left = child(run, 'Left')
      const right = child(run, 'Right')
      expect(left.attributes).to.include({ 'rolebook.task.kind': 'ensure', 'rolebook.task.outcome': 'changed' })
      // Else each request would have only one task to belong to.
      expect(BigInt(right.startTimeUnixNano) < BigInt(left.endTimeUnixNano), 'Right begins before Left ends').to.equal(
        true,
      )
      expect(BigInt(left.startTimeUnixNano) < BigInt(right.endTimeUnixNano), 'Left begins before Right ends').to.equal(
        true,
      )
    })

    it('say of requests what the conventions for HTTP clients say', () => {
      const { hostname, port } = new URL(cluster.access.url)
      const [request] = receiver.childrenOf(child(run, 'Read the password'))
      expect(request?.kind).to.equal(3)
      expect(request?.attributes).to.deep.equal({
        'http.request.method': 'GET',
        'http.response.status_code': 200,
        'server.address': hostname,
        'server.port': Number(port),
        'url.full': `${cluster.access.url}/api/v1/namespaces/default/secrets/creds`,
        'url.template': '/api/v1/namespaces/{namespace}/secrets/{name}',
      })
    })

    it('have the requests that no task has sent within the run', () => {
      const names = receiver.childrenOf(run).map(({ name }) => name)
      expect(names).to.include('PATCH /apis/example.com/v1/namespaces/{namespace}/widgets/{name}/status')
    })

    it('are marked as errors where a request fails, with what went wrong and without the secret in it', async () => {
      await make('Broken', 'bad')
      const failed = await process.during(receiver.span('a failed run has arrived', isMade('bad')))
      const task = child(failed, 'Refused')
      const request = receiver
        .childrenOf(task)
        .find(({ attributes }) => attributes['http.response.status_code'] === 422)
      expect(request?.status).to.deep.equal({ code: 2, message: 'the API server answered 422' })
      expect(request?.attributes['error.type']).to.equal('422')
      for (const { status } of [task, failed]) {
        expect(status.code).to.equal(2)
        expect(status.message).to.match(/^Invalid: .*Invalid value: "<redacted>/)
      }
      expect(failed.attributes['rolebook.run.result']).to.equal('failed')
    })

    it('are sent by HTTP although another protocol was asked for, of which the log warns', () => {
      const warned = linesOf(process).filter(({ msg }) => msg === 'a setting of the traces is not used')
      expect(warned.map(({ problem }) => problem)).to.deep.equal([
        'OTEL_EXPORTER_OTLP_PROTOCOL is "grpc": traces are sent by http/json (give the port for HTTP, such as 4318)',
      ])
    })

    it('are named in each line of the log that a run writes', () => {
      const made = linesOf(process).find(({ object }) => object === 'ConfigMap default/left-first')
      expect(made).to.include({ trace_id: run.traceId, span_id: run.spanId })
      expect(linesOf(process).find(({ msg }) => msg === 'operator starts')).to.not.have.property('trace_id')
    })

    it('hold a value of a Secret in no byte, and leave to the last one when the operator stops', async () => {
      await make('Widget', 'last')
      await process.until('the last run is over', ({ stderr }) =>
        linesOf({ stderr }).some(({ msg, resource }) => msg === 'run complete' && resource === 'default/last'),
      )
      expect(await process.stop()).to.equal(0)
      expect(receiver.spans.filter(isMade('last'))).to.not.be.empty
      const forms = [PASSWORD, Buffer.from(PASSWORD).toString('base64')]
      for (const form of forms) expect(receiver.text.includes(form), form).to.equal(false)
      const password = await cluster.connection.client.get(CONFIG_MAP, {
        namespace: 'default',
        name: `right-last-${PASSWORD}`,
      })
      expect(password, 'the run has used the value').to.not.equal(undefined)
    })
  })

  describe('with an endpoint where nothing listens', () => {
    afterEach(() => operator?.stop())

    it('cost no more than a line of the log', async () => {
      const closed = await TraceReceiver.start()
      const url = closed.url
      closed.stop()
      const process = start({
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`,
        OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      })
      await process.until('it leads', says('leader election: leads'))
      const complaints = (): number =>
        linesOf(process).filter(({ msg }) => String(msg).startsWith('traces cannot')).length
      for (const name of ['one', 'two', 'three']) {
        await make('Widget', name)
        await process.until(`the run of ${name}`, ({ stderr }) =>
          linesOf({ stderr }).some(({ msg, resource }) => msg === 'run complete' && resource === `default/${name}`),
        )
        await process.until('the log has said it', () => complaints() > 0)
      }
      expect(await process.stop()).to.equal(0)
      expect(complaints()).to.equal(1)
    })
  })

  describe('load the SDK', () => {
    afterEach(() => operator?.stop())

    const cases = [
      { name: 'not without a variable', environment: () => ({}), loads: false },
      {
        name: 'with an endpoint',
        environment: () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }),
        loads: true,
      },
    ]
    for (const [index, { name, environment, loads }] of cases.entries()) {
      long.it(name, async () => {
        const list = join(folder.path, `loaded-${index}`)
        const listed = {
          ...environment(),
          LOADED_MODULES: list,
          NODE_OPTIONS: `--import ${pathToFileURL(join(folder.path, 'hook.mjs'))}`,
        }
        // Where coverage is measured, the other tests run the sources, whose modules are not those that `sdkModules` looks for.
        const process = start(listed, join(builtProgram(), 'rolebook.mjs'))
        await process.until('it leads', says('leader election: leads'))
        const loaded = readFileSync(list, 'utf8')
          .split('\n')
          .filter((url) => sdkModules().includes(url))
        expect(loaded.length > 0).to.equal(loads)
      })
    }
  })

  /** Of each task of a run, its requests and the last part of their paths, but those for the ledger. */
  function tree(run: ReceivedSpan): Readonly<Record<string, readonly string[]>> {
    const tasks = receiver.childrenOf(run).filter(({ kind }) => kind === 1)
    return Object.fromEntries(
      tasks.map((task) => {
        const requests = receiver.childrenOf(task).map(({ name, attributes }) => {
          return `${name} ${/([^/?]*)(\?.*)?$/.exec(String(attributes['url.full']))?.[1]}`
        })
        return [task.name, requests.filter((text) => !/rolebook-ledger$|^POST .* secrets$/.test(text))]
      }),
    )
  }

  function child(of: ReceivedSpan, name: string): ReceivedSpan {
    const found = receiver.childrenOf(of).find((span) => span.name === name)
    if (!found) throw new Error(`no span ${name} within ${of.name}`)
    return found
  }
})

/** The files of the program that hold the SDK, by their real paths, as Node names modules. */
function sdkModules(): readonly string[] {
  const folder = realpathSync(builtProgram())
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs'))
  const holding = files.filter((file) => readFileSync(join(folder, file), 'utf8').includes('OTEL_BSP_SCHEDULE_DELAY'))
  if (holding.length === 0) throw new Error('no file holds the SDK')
  return holding.map((file) => pathToFileURL(join(folder, file)).href)
}
