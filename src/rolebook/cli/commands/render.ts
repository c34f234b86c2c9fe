import { formatGroupKind, gvkOf } from '../../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../../core/kube/object.ts'
import type { Project } from '../../../engine/operator/project.ts'
import { type Command, type Invocation, UsageError } from '../command.ts'
import { newLogger } from '../new-logger.ts'
import { openProject, projectOptions } from '../open-project.ts'
import { LOG_OPTIONS, PROJECT_OPTIONS } from '../options.ts'
import { objectsInFiles } from '../read-objects.ts'
import { OUTPUTS, printHeldUp, printObjects, printPasses, statusOf } from '../render/print-rendering.ts'
import { RenderCluster } from '../render/render-cluster.ts'
import { type Rendering, renderPasses } from '../render/render-passes.ts'
import { parseSetValue, type SetValue, setValue } from '../render/set-values.ts'
import { EXIT, type ExitCode } from '../terminal.ts'

export const renderCommand: Command = {
  name: 'render',
  summary: 'print what the roles would make of given objects',
  description:
    'Runs the operator over the given objects in an API server in memory, and prints what it makes, and the resulting status ' +
    'of the resources. It runs in passes: what a pass has made is ready for the next one, as in a cluster that has been left ' +
    'alone, until nothing changes. Which pass made what, and what is waited for, goes to stderr. No cluster is touched. ' +
    'Exit code 1 when a role fails or does not come to an end.',
  arguments: '<files...>',
  options: [
    ...PROJECT_OPTIONS,
    {
      flags: '--set <path=value>',
      description: 'a value in the spec of the resources, such as ports[0].port=80; may be repeated',
      repeatable: true,
    },
    {
      flags: '--given <file>',
      description: 'objects that exist beside them, with their status; may be repeated',
      repeatable: true,
    },
    { flags: '--finalize', description: 'delete the resources afterwards, and print what their `finalize` tasks make' },
    { flags: '--passes <count>', description: 'at most so many passes (until nothing changes)' },
    { flags: '--output <format>', description: 'yaml, or json: a list', default: 'yaml', choices: OUTPUTS },
    { flags: '--marks', description: 'show the labels, annotations and owner references of the engine, too' },
    ...LOG_OPTIONS.map((option) => (option.flags.startsWith('--log-level') ? { ...option, default: 'warn' } : option)),
  ],
  examples: [
    'rolebook render roles/memcached/samples/memcached.yaml',
    'rolebook render site.yaml --set replicas=5 --set tls=true',
    'rolebook render site.yaml --finalize',
    'rolebook render site.yaml --given database.yaml --passes 1 --output json',
  ],
  async run(invocation) {
    const { terminal, files } = invocation
    const limit = passesOf(invocation)
    const values = invocation.texts('set').map(parseSetValue)
    const given = { resources: objectsInFiles(files), others: objectsInFiles(invocation.texts('given')), values }
    const project = await openProject(projectOptions(invocation), terminal)
    if (!project) return EXIT.usage
    const logger = newLogger(invocation, (text) => terminal.err(text))
    const cluster = await RenderCluster.start(logger)
    try {
      const resources = await furnish(cluster, project, given)
      const render = (): Promise<Rendering> => renderPasses(cluster, project, { logger, limit })
      const live = await render()
      const rendering = invocation.flag('finalize') ? await finalize(cluster, resources, render) : live
      const left = resources.flatMap((resource) => cluster.live(resource) ?? [])
      const statuses = left.flatMap((resource) => statusOf(resource) ?? [])
      const objects = [...cluster.made.print(invocation.flag('marks')), ...statuses]
      terminal.out(printObjects(objects, invocation.given('output')))
      terminal.err(printPasses(cluster.made.changes) + printHeldUp(rendering.runs))
      return exitCodeOf(rendering, invocation)
    } finally {
      await cluster.stop()
    }
  },
}

/** What happens when the resources are deleted. */
async function finalize(
  cluster: RenderCluster,
  resources: readonly KubeObject[],
  render: () => Promise<Rendering>,
): Promise<Rendering> {
  cluster.made.beginLast()
  for (const resource of resources) await cluster.remove(resource)
  return render()
}

interface Given {
  readonly resources: readonly KubeObject[]
  readonly others: readonly KubeObject[]
  readonly values: readonly SetValue[]
}

/** Puts everything that is given into the cluster. Returns the resources that roles look after, as they are there. */
async function furnish(cluster: RenderCluster, project: Project, given: Given): Promise<readonly KubeObject[]> {
  const { resources, others, values } = given
  const kinds = new Set(project.watches.map(({ watch }) => formatGroupKind(watch.gvk)))
  const isWatched = (object: KubeObject): boolean => kinds.has(formatGroupKind(gvkOf(object)))
  if (values.length > 0 && !resources.some(isWatched)) throw new UsageError('--set: no given object has a role')
  await cluster.install(...project.crds, ...[...others, ...resources].filter(isCrd))
  for (const object of others) if (!isCrd(object)) await cluster.give(object)
  const live: KubeObject[] = []
  for (const object of resources) {
    if (isCrd(object)) continue
    if (!isWatched(object)) await cluster.give(object)
    else live.push(await cluster.give(values.reduce(setValue, object)))
  }
  return live
}

function isCrd({ kind }: KubeObject): boolean {
  return kind === 'CustomResourceDefinition'
}

/** Without `--passes` there is a limit all the same, which no sound role reaches. */
const MANY = 20

function passesOf(invocation: Invocation): number {
  const text = invocation.text('passes')
  if (text === undefined) return MANY
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new UsageError('--passes: must be a number from 1 to 999')
  return Number(text)
}

function exitCodeOf({ runs, settled }: Rendering, { terminal, text }: Invocation): ExitCode {
  const endless = !settled && text('passes') === undefined
  if (endless) terminal.err(`objects still change after ${MANY} passes\n`)
  return endless || runs.some(({ outcome }) => outcome === 'failed') ? EXIT.failure : EXIT.ok
}
