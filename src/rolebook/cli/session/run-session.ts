import process from 'node:process'
import { systemClock } from '../../../core/base/clock.ts'
import { untilAborted } from '../../../core/base/until-aborted.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { ResourceMapper } from '../../../core/kube/resource-mapper.ts'
import type { Project } from '../../../engine/operator/project.ts'
import type { RunHistory } from '../../../engine/operator/run-history.ts'
import type { Request } from '../../../engine/runtime/reconciler.ts'
import type { Runnable } from '../../../engine/runtime/runnable.ts'
import { removeKubeconfig, writeKubeconfig } from '../../../sandbox/cluster/kubeconfig.ts'
import type { SandboxCluster } from '../../../sandbox/cluster/sandbox-cluster.ts'
import { AppliedSamples } from '../../library/applied-samples.ts'
import type { Invocation } from '../command.ts'
import type { SandboxFaults } from '../faults/sandbox-faults.ts'
import { headingOf } from '../live-view/heading.ts'
import { loadDetails } from '../live-view/load-details.ts'
import { LocalDashboard } from '../local-dashboard.ts'
import { openToQuestions, recordOfSandbox } from '../local-operator.ts'
import type { projectOptions } from '../open-project.ts'
import { operate } from '../operate.ts'
import { showRun } from '../run-rows.ts'
import { loadObjects } from './load-objects.ts'
import type { Screen } from './screen.ts'
import { removeRecord, writeRecord } from './session-record.ts'

/** What a sandbox in a folder without one works with. */
export const NO_PROJECT: Project = { hash: '', watches: [], crds: [], samples: [] }

export interface Session {
  readonly invocation: Invocation
  readonly files: ReturnType<typeof projectOptions>
  readonly project: Project
  /** Of `--load`. */
  readonly objects: readonly KubeObject[]
  readonly screen: Screen
  readonly faults: SandboxFaults
}

/** Runs a project on a cluster until the terminal is stopped; then the cluster ends as well. */
export async function runSession(cluster: SandboxCluster, session: Session): Promise<void> {
  const { invocation, screen } = session
  try {
    await runIn(cluster, session)
  } finally {
    screen.stop()
    await cluster.stop()
    screen.say(farewell(invocation, cluster))
  }
}

/** Nothing answers where the kubeconfig of a sandbox leads that has stopped; one that kept its state comes back there. */
function farewell({ given, text }: Invocation, { access }: SandboxCluster): string {
  if (text('data') !== undefined) return ''
  const kubeconfig = given('kubeconfig')
  return removeKubeconfig(kubeconfig, access) ? `The sandbox has stopped, and ${kubeconfig} is removed.\n` : ''
}

async function runIn(cluster: SandboxCluster, session: Session): Promise<void> {
  const { invocation, project, screen, faults } = session
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
  await loadObjects(cluster, session.objects)
  faults.begin(terminal, (text) => screen.say(text))
  const { url } = cluster.access
  const hasOperator = project !== NO_PROJECT && invocation.flag('operator')
  const dashboard = invocation.flag('ui')
    ? new LocalDashboard({ clock: systemClock, logger: screen.logger })
    : undefined
  const ui = await dashboard?.listen()
  const record = { pid: process.pid, url, kubeconfig, ...(ui !== undefined && { ui }) }
  const heading = headingOf(url, {
    kubeconfig,
    dashboard: ui,
    data: invocation.text('data'),
    hasTerminal: terminal.interactive,
    runs: hasOperator ? 'operator' : invocation.flag('envtest') ? 'API server' : 'cluster',
    lacksProject: invocation.flag('operator') && !hasOperator,
    kinds: await kindNames(project, cluster.connection.mapper),
  })
  let history: RunHistory | undefined
  const { client, mapper } = cluster.connection
  const details = (request: Request) => loadDetails(request, { client, mapper, history, color: terminal.color })
  screen.start(record, { heading, details })
  writeRecord(record)
  try {
    if (!hasOperator) return await untilAborted(terminal.stopped)
    await runOperator(cluster, session, { bring, dashboard, onHistory: (known) => (history = known) })
  } finally {
    await dashboard?.close()
    removeRecord(record)
  }
}

/** What kubectl calls the kinds of a project, but those that are not served. */
async function kindNames({ watches }: Project, mapper: ResourceMapper): Promise<readonly string[]> {
  const asked = await Promise.allSettled(watches.map(({ watch }) => mapper.mappingFor(watch.gvk)))
  const names = asked.flatMap((one) =>
    one.status === 'fulfilled' ? [{ plural: one.value.plural, group: one.value.gvk.group }] : [],
  )
  const isShared = (plural: string, group: string): boolean =>
    names.some((other) => other.plural === plural && other.group !== group)
  return [...new Set(names.map(({ plural, group }) => (isShared(plural, group) ? `${plural}.${group}` : plural)))]
}

interface OperatorSession {
  readonly dashboard: LocalDashboard | undefined
  bring(next: Project): Promise<void>
  onHistory(history: RunHistory): void
}

async function runOperator(
  cluster: SandboxCluster,
  { invocation, files, project, screen }: Session,
  { bring, dashboard, onHistory }: OperatorSession,
): Promise<void> {
  const record = recordOfSandbox(invocation.given('kubeconfig'))
  const questions = { record, serverUrl: cluster.access.url, clock: systemClock, logger: screen.logger }
  await operate(project, {
    connection: cluster.connection,
    clock: systemClock,
    logger: screen.logger,
    terminal: invocation.terminal,
    files,
    onRun: (report) => screen.view && showRun(screen.view, report),
    beforeReload: bring,
    beside: async (shown) => {
      onHistory(shown.history)
      const answers = await openToQuestions(shown.explain, questions)
      return dashboard ? together(answers, dashboard.show(shown.dashboard())) : answers
    },
    allowTeardown: invocation.flag('allow-teardown'),
    complain: (problem) => screen.showProblem(problem),
  })
}

function together(...parts: readonly Runnable[]): Runnable {
  return {
    name: parts.map(({ name }) => name).join(', '),
    start: async (signal) => void (await Promise.all(parts.map((part) => part.start(signal)))),
  }
}
