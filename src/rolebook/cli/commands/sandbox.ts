import { existsSync } from 'node:fs'
import { systemClock } from '../../../core/base/clock.ts'
import { parseServiceRange, type ServiceRange } from '../../../sandbox/apiserver/kinds/service/service-range.ts'
import { ENVTEST } from '../../../sandbox/cluster/envtest.ts'
import { SandboxCluster, type SandboxOptions } from '../../../sandbox/cluster/sandbox-cluster.ts'
import type { ProjectPlaces } from '../../config/project-files.ts'
import { type Command, type Invocation, UsageError } from '../command.ts'
import { SandboxFaults } from '../faults/sandbox-faults.ts'
import { keepHeapSmall } from '../keep-heap-small.ts'
import { SANDBOX_KUBECONFIG } from '../local-operator.ts'
import { openProject, projectOptions } from '../open-project.ts'
import {
  LOG_OPTIONS,
  NAMESPACE_OPTION,
  PROJECT_OPTIONS,
  ROLES_PATH_OPTION,
  TEARDOWN_OPTION,
  WATCHES_FILE_OPTION,
} from '../options.ts'
import { userAgent } from '../program-version.ts'
import { objectsInFiles } from '../read-objects.ts'
import { startDetached } from '../session/detach.ts'
import { NO_PROJECT, runSession } from '../session/run-session.ts'
import { Screen } from '../session/screen.ts'
import {
  describeSession,
  printSession,
  type SessionQuestion,
  sessionStatus,
  stopSession,
} from '../session/session-commands.ts'
import { EXIT, type ExitCode } from '../terminal.ts'
import type { ValueKind } from '../value-kind.ts'

const SERVICE_RANGE: ValueKind<ServiceRange> = {
  parse: parseServiceRange,
  expected: 'Expected a range of IPv4 addresses from /12 to /30, such as 10.0.0.0/24.',
}

export const sandboxCommand: Command = {
  name: 'sandbox',
  summary: 'a Kubernetes API server in memory with the operator on it',
  description:
    'Starts a Kubernetes API server in memory, on loopback, installs the CRDs of the roles and runs the operator on it, ' +
    'with a live view. Changes of watches.yaml, roles and (with --samples) samples are followed. In a folder without a ' +
    'project it is a cluster without an operator. Everything is gone when it stops, unless --data names a folder to keep it in. ' +
    "'rolebook sandbox status' says whether one runs, and where; 'rolebook sandbox stop' stops it.",
  arguments: '[action]',
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
    {
      flags: '--load <file>',
      description: 'apply the objects of this file before the sandbox is ready; may be given more than once',
      repeatable: true,
    },
    { flags: '--ui', description: 'serve the dashboard of the operator on loopback, and print where' },
    { flags: '--no-operator', description: 'only the API server' },
    { flags: '--no-workloads', description: 'no simulated controllers: a Deployment makes no pods' },
    {
      flags: '--envtest',
      description:
        'the API server alone, as envtest has it: no controllers, no ServiceAccounts for pods, Services in 10.0.0.0/24, no operator',
    },
    {
      flags: '--service-cluster-ip-range <cidr>',
      description: 'the addresses of Services (10.96.0.0/12)',
      kind: SERVICE_RANGE,
    },
    { flags: '--detach', description: 'return when it is ready, and leave it running until `rolebook sandbox stop`' },
    {
      flags: '--output <format>',
      description: 'json prints one line when it is ready: {"url", "kubeconfig", "pid"}',
      default: 'text',
      choices: ['text', 'json'],
    },
    TEARDOWN_OPTION,
    ...LOG_OPTIONS,
  ],
  examples: [
    'rolebook sandbox --samples',
    'rolebook sandbox --no-operator --port 6443 --load manifests.yaml',
    'rolebook sandbox --detach',
    'rolebook sandbox stop',
  ],
  async run(invocation) {
    const [action] = invocation.files
    const question = {
      kubeconfig: invocation.given('kubeconfig'),
      output: invocation.given('output'),
      terminal: invocation.terminal,
    }
    if (action === 'status') return sessionStatus(question)
    if (action === 'stop') return stopSession(question)
    if (action !== undefined) throw new UsageError(`there is no action ${action}: leave it out, or give status or stop`)
    return invocation.flag('detach') ? detach(question) : runSandbox(invocation)
  },
}

async function detach({ kubeconfig, output, terminal }: SessionQuestion): Promise<ExitCode> {
  const session = await startDetached(kubeconfig)
  terminal.out(output === 'json' ? printSession(session) : `${describeSession(session)}\n`)
  return EXIT.ok
}

async function runSandbox(invocation: Invocation): Promise<ExitCode> {
  keepHeapSmall({ growth: 33 })
  const options = serverOptionsOf(invocation)
  const objects = objectsInFiles(invocation.texts('load'))
  const files = projectOptions(invocation)
  const screen = new Screen(invocation)
  const project = isPlain(files, invocation) ? NO_PROJECT : await openProject(files, screen.terminal)
  if (!project) return EXIT.usage
  if (invocation.flag('ui') && (project === NO_PROJECT || !invocation.flag('operator'))) {
    throw new UsageError('--ui shows an operator, and none runs here (give a project, and leave --no-operator out)')
  }
  const faults = await SandboxFaults.load(invocation.text('faults'), screen.terminal)
  if (!faults) return EXIT.usage
  const ports = { clock: systemClock, logger: screen.logger, userAgent: userAgent('sandbox') }
  const cluster = await SandboxCluster.start({ ...options, ...ports, faults: faults.injector })
  await runSession(cluster, { invocation, files, project, objects, screen, faults })
  return EXIT.ok
}

/** @throws UsageError */
function serverOptionsOf(invocation: Invocation): Omit<SandboxOptions, 'clock' | 'logger'> {
  const range = invocation.text('service-cluster-ip-range')
  const isEnvtest = invocation.flag('envtest')
  if (isEnvtest && invocation.flag('samples')) throw new UsageError('--envtest runs no project: leave --samples out')
  return {
    port: portOf(invocation),
    workloads: invocation.flag('workloads'),
    data: invocation.text('data'),
    authorization: invocation.given('authorization-mode') === 'RBAC' ? 'rbac' : 'always-allow',
    ...(isEnvtest && ENVTEST),
    ...(range !== undefined && { serviceRange: parseServiceRange(range) }),
  }
}

/** Nothing but a cluster was asked for: no project was named, and the folder holds none. */
function isPlain({ watchesFile, rolesPath }: ProjectPlaces, invocation: Invocation): boolean {
  if (invocation.flag('envtest')) return true
  const isNamed = watchesFile !== WATCHES_FILE_OPTION.default || rolesPath !== ROLES_PATH_OPTION.default
  if (isNamed || invocation.flag('samples')) return false
  const found = [watchesFile, rolesPath].filter((path) => existsSync(path))
  // Without an operator, half a project counts as none. With an operator, it is a mistake and must be reported.
  return invocation.flag('operator') ? found.length === 0 : found.length < 2
}

function portOf(invocation: Invocation): number {
  const text = invocation.given('port')
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`--port ${text}: a port is a number from 0 to 65535`)
  return port
}
