import { existsSync } from 'node:fs'
import { systemClock } from '../../../core/base/clock.ts'
import type { Project } from '../../../engine/operator/project.ts'
import { writeKubeconfig } from '../../../sandbox/cluster/kubeconfig.ts'
import { SandboxCluster } from '../../../sandbox/cluster/sandbox-cluster.ts'
import type { ProjectPlaces } from '../../config/project-files.ts'
import { AppliedSamples } from '../applied-samples.ts'
import { type Command, type Invocation, UsageError } from '../command.ts'
import { SandboxFaults } from '../faults/sandbox-faults.ts'
import { keepHeapSmall } from '../keep-heap-small.ts'
import { openProject, projectOptions } from '../open-project.ts'
import { operate } from '../operate.ts'
import {
  LOG_OPTIONS,
  NAMESPACE_OPTION,
  PROJECT_OPTIONS,
  ROLES_PATH_OPTION,
  TEARDOWN_OPTION,
  WATCHES_FILE_OPTION,
} from '../options.ts'
import { userAgent } from '../program-version.ts'
import { showRun } from '../run-rows.ts'
import { openToQuestions, SANDBOX_KUBECONFIG } from '../sandbox-operator.ts'
import { headingOf, NO_PROJECT } from '../session/heading.ts'
import { Screen } from '../session/screen.ts'
import { EXIT } from '../terminal.ts'

export const sandboxCommand: Command = {
  name: 'sandbox',
  summary: 'a Kubernetes API server in memory with the operator on it',
  description:
    'Starts a Kubernetes API server in memory, on loopback, installs the CRDs of the roles and runs the operator on it, ' +
    'with a live view. Changes of watches.yaml, roles and (with --samples) samples are followed. In a folder without a ' +
    'project it is a cluster without an operator. Everything is gone when it stops, unless --data names a folder to keep it in.',
  options: [
    ...PROJECT_OPTIONS,
    NAMESPACE_OPTION,
    { flags: '--samples', description: 'apply the samples of the roles, and again whenever one is saved' },
    { flags: '--port <number>', description: 'the port to listen on (a free one)', default: '0' },
    { flags: '--kubeconfig <path>', description: 'where to write the kubeconfig', default: SANDBOX_KUBECONFIG },
    { flags: '--data <folder>', description: 'keep the state here from one start to the next (memory only)' },
    {
      flags: '--faults <file>',
      description: 'make requests and watches go wrong as this file says; read again when saved',
    },
    {
      flags: '--authorization-mode <mode>',
      description: 'who may do what: RBAC asks roles and bindings, AlwaysAllow lets everybody with a token',
      default: 'RBAC',
      choices: ['RBAC', 'AlwaysAllow'],
    },
    { flags: '--no-operator', description: 'only the API server' },
    { flags: '--no-workloads', description: 'no simulated controllers: a Deployment makes no pods' },
    TEARDOWN_OPTION,
    ...LOG_OPTIONS,
  ],
  examples: ['rolebook sandbox --samples', 'rolebook sandbox --no-operator --port 6443'],
  async run(invocation) {
    keepHeapSmall()
    const port = portOf(invocation)
    const files = projectOptions(invocation)
    const project = isPlain(files, invocation.flag('samples'))
      ? NO_PROJECT
      : await openProject(files, invocation.terminal)
    if (!project) return EXIT.usage
    const faults = await SandboxFaults.load(invocation.text('faults'), invocation.terminal)
    if (!faults) return EXIT.usage
    const screen = new Screen(invocation)
    const cluster = await SandboxCluster.start({
      clock: systemClock,
      logger: screen.logger,
      userAgent: userAgent('sandbox'),
      port,
      workloads: invocation.flag('workloads'),
      data: invocation.text('data'),
      faults: faults.injector,
      authorization: invocation.given('authorization-mode') === 'RBAC' ? 'rbac' : 'always-allow',
    })
    try {
      await runIn(cluster, { invocation, files, project, screen, faults })
    } finally {
      screen.stop()
      await cluster.stop()
    }
    return EXIT.ok
  },
}

/** Nothing but a cluster was asked for: no project was named, and the folder holds none. */
function isPlain({ watchesFile, rolesPath }: ProjectPlaces, hasSamples: boolean): boolean {
  const isNamed = watchesFile !== WATCHES_FILE_OPTION.default || rolesPath !== ROLES_PATH_OPTION.default
  return !isNamed && !hasSamples && !existsSync(watchesFile) && !existsSync(rolesPath)
}

interface Session {
  readonly invocation: Invocation
  readonly files: ReturnType<typeof projectOptions>
  readonly project: Project
  readonly screen: Screen
  readonly faults: SandboxFaults
}

async function runIn(cluster: SandboxCluster, { invocation, files, project, screen, faults }: Session): Promise<void> {
  const { terminal } = invocation
  const kubeconfig = invocation.given('kubeconfig')
  writeKubeconfig(kubeconfig, cluster.access)
  const samples = new AppliedSamples({
    apply: (object) => cluster.apply(object),
    remove: (object) => cluster.remove(object),
    complain: (message) => screen.say(`${message}\n`),
  })
  const bring = async (next: Project): Promise<void> => {
    await cluster.install(...next.crds)
    if (invocation.flag('samples')) await samples.follow(next.samples)
  }
  await bring(project)
  faults.begin(terminal, (text) => screen.say(text))
  const hasOperator = project !== NO_PROJECT && invocation.flag('operator')
  screen.start(headingOf(cluster.access.url, { kubeconfig, data: invocation.text('data'), project, hasOperator }))
  if (!hasOperator) return untilAborted(terminal.stopped)
  const questions = { clock: systemClock, logger: screen.logger }
  await operate(project, {
    connection: cluster.connection,
    clock: systemClock,
    logger: screen.logger,
    terminal,
    files,
    onRun: (report) => screen.view && showRun(screen.view, report),
    beforeReload: bring,
    beside: (explain) => openToQuestions(explain, { ...questions, kubeconfig, serverUrl: cluster.access.url }),
    allowTeardown: invocation.flag('allow-teardown'),
    complain: (text) => screen.say(text),
  })
}

function portOf(invocation: Invocation): number {
  const text = invocation.given('port')
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`--port ${text}: a port is a number from 0 to 65535`)
  return port
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
