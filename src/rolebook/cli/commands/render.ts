import { type Command, type Invocation, UsageError } from '../command.ts'
import { newLogger } from '../new-logger.ts'
import { openProject, projectOptions } from '../open-project.ts'
import { logOptions, PROJECT_OPTIONS } from '../options.ts'
import { objectsInFiles } from '../read-objects.ts'
import { OUTPUTS, printHeldUp, printObjects, printPasses } from '../render/print-rendering.ts'
import { ENDLESS, MANY_PASSES, renderGiven } from '../render/render-given.ts'
import type { Rendering } from '../render/render-passes.ts'
import { parseSetValue } from '../render/set-values.ts'
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
    ...logOptions('warn'),
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
    const options = { logger, limit, finalize: invocation.flag('finalize'), marks: invocation.flag('marks') }
    const rendered = await renderGiven(project, given, options)
    const objects = [...rendered.made.map(({ object }) => object), ...rendered.statuses]
    terminal.out(printObjects(objects, invocation.given('output')))
    terminal.err(printPasses(rendered.changes) + printHeldUp(rendered.runs))
    return exitCodeOf(rendered, invocation)
  },
}

function passesOf(invocation: Invocation): number {
  const text = invocation.text('passes')
  if (text === undefined) return MANY_PASSES
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new UsageError('--passes: must be a number from 1 to 999')
  return Number(text)
}

function exitCodeOf({ runs, settled }: Rendering, { terminal, text }: Invocation): ExitCode {
  const endless = !settled && text('passes') === undefined
  if (endless) terminal.err(ENDLESS)
  return endless || runs.some(({ outcome }) => outcome === 'failed') ? EXIT.failure : EXIT.ok
}
