import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { JsonObject } from '../../../core/base/json.ts'
import { appendItem } from '../../../core/yaml/append-item.ts'
import { isError } from '../../../core/yaml/diagnostic.ts'
import { printDiagnostics } from '../../../core/yaml/print-diagnostics.ts'
import { SourceFile } from '../../../core/yaml/source-file.ts'
import { parseWatches } from '../../config/parse-watches.ts'
import { newChartRoleFiles, sampleName } from '../../scaffold/new-chart-role.ts'
import { newRoleFiles, TEMPLATES, type TemplateName } from '../../scaffold/new-role.ts'
import { type Command, type Invocation, UsageError } from '../command.ts'
import { editorSchemaFiles } from '../editor-schemas.ts'
import { addTests } from '../migrate/add-tests.ts'
import { roleFromGiven } from '../migrate/role-from-given.ts'
import { askForEntry, type NewEntry } from '../new-entry.ts'
import { PROJECT_OPTIONS } from '../options.ts'
import { readChart, renderAlone } from '../read-chart.ts'
import { startCommand } from '../start-command.ts'
import { EXIT, type Terminal } from '../terminal.ts'

/** The role is made of a chart that is there. */
const CHART = 'chart'
const TEMPLATE_NAMES = [...Object.keys(TEMPLATES), CHART]
const DEFAULT_TEMPLATE: TemplateName = 'deployment'
const TEMPLATE_LIST = [
  ...Object.entries(TEMPLATES).map(([name, { summary }]) => `${name} (${summary})`),
  `${CHART} (the Helm chart of --helm-chart)`,
].join(', ')

export const initCommand: Command = {
  name: 'init',
  summary: 'begin a role: role, CRD, sample, test, and an entry in watches.yaml',
  description:
    'Writes a small role that works, with a CRD, a sample and a test, and adds an entry to watches.yaml, which is made when it ' +
    'is not there; schemas for editors go to schemas/ beside it. On a terminal it asks for what no flag says. Nothing is ever ' +
    'overwritten: exit code 2 when a file of the role is there.',
  options: [
    { flags: '--group <group>', description: 'the API group of the kind, such as example.com' },
    { flags: '--version <version>', description: 'the version of the kind (v1alpha1)' },
    { flags: '--kind <kind>', description: 'the kind, such as Website' },
    {
      flags: '--helm-chart <path>',
      description: 'a Helm chart, a folder or a .tgz: its values are the spec, and the role installs it',
    },
    {
      flags: '--template <name>',
      description: `what the role begins with (${DEFAULT_TEMPLATE}): ${TEMPLATE_LIST}`,
      choices: TEMPLATE_NAMES,
    },
    { flags: '--role <name>', description: 'the name of the role (the kind in small letters)' },
    {
      flags: '--from [path]',
      description:
        'existing manifests that the role is to make: a file, a folder, or - for the standard input; with --namespace, what is in a cluster',
    },
    { flags: '--namespace <name>', description: '--from: a namespace of a cluster, instead of files' },
    { flags: '--kubeconfig <path>', description: '--from: the kubeconfig (the one kubectl uses)' },
    { flags: '--context <name>', description: '--from: the context of the kubeconfig (its current one)' },
    ...PROJECT_OPTIONS,
  ],
  examples: [
    'rolebook init',
    'rolebook init --group example.com --version v1 --kind Website',
    'rolebook init --template statefulset --group example.com --kind Redis',
    'rolebook init --template aggregation --group example.com --kind Gateway',
    'rolebook init --helm-chart ./tomcat --group apache.org --kind Tomcat',
    'rolebook init --from deploy/ --group example.com --kind Website',
    'rolebook init --from --namespace shop --group example.com --kind Shop',
  ],
  async run(invocation) {
    const { terminal, given } = invocation
    const entry = await askForEntry(invocation)
    const watchesFile = given('watches-file')
    const folder = join(given('roles-path'), entry.role)
    const schemas = join(dirname(watchesFile), 'schemas')
    const made = await roleFromGiven(invocation, entry)
    const watches = withEntry(watchesFile, { ...entry, ...made?.entry }, terminal)
    const role = made
      ? filesIn(folder, made.files)
      : await roleFiles(invocation, entry, { folder, schemas: pathFrom(folder, schemas) })
    refuseOverwriting([`${folder}.yaml`, ...role.keys()])
    const missing = [...filesIn(schemas, editorSchemaFiles())].filter(([path]) => !existsSync(path))
    const files = new Map([...role, ...missing, [watchesFile, watches], ...ignoreFile(dirname(watchesFile))])
    for (const [path, content] of files) writeNew(path, content)
    const tests = made ? await addTests({ watchesFile, rolesPath: given('roles-path') }, terminal) : []
    terminal.out([...files.keys(), ...tests].map((path) => `wrote ${path}\n`).join(''))
    if (made) terminal.err(made.notes.map((note) => `note: ${note}\n`).join(''))
    terminal.err(nextSteps(invocation, folder))
    return EXIT.ok
  },
}

type Files = ReadonlyMap<string, string | Uint8Array>

/** A template, or a chart: what flags say or, on a terminal, a person. @throws UsageError */
async function beginningOf(invocation: Invocation): Promise<{ template: TemplateName } | { chart: string }> {
  const { text } = invocation
  const [given, chart] = [text('template'), text('helm-chart')]
  if (chart !== undefined) {
    if (given === undefined || given === CHART) return { chart }
    throw new UsageError(`--template ${given} and --helm-chart exclude each other: leave one of them out`)
  }
  const name = given ?? (await askForTemplate(invocation))
  return name === CHART ? { chart: await askForChart(invocation) } : { template: name as TemplateName }
}

async function askForTemplate({ terminal }: Invocation): Promise<string> {
  if (!terminal.ask) return DEFAULT_TEMPLATE
  for (;;) {
    const answer = (await terminal.ask(`${TEMPLATE_QUESTION} [${DEFAULT_TEMPLATE}]: `)).trim() || DEFAULT_TEMPLATE
    if (TEMPLATE_NAMES.includes(answer)) return answer
    terminal.err(`there is no "${answer}": choose ${TEMPLATE_NAMES.join(', ')}\n`)
  }
}

const TEMPLATE_QUESTION = `Begins with ${TEMPLATE_NAMES.join(', ')}`

async function askForChart({ terminal }: Invocation): Promise<string> {
  if (!terminal.ask) throw new UsageError('--template chart needs --helm-chart, the folder or the .tgz of the chart')
  for (;;) {
    const answer = (await terminal.ask('Helm chart, a folder or a .tgz: ')).trim()
    if (answer !== '' && existsSync(answer)) return answer
    terminal.err(answer === '' ? 'the path of a chart is needed\n' : `there is no ${answer}\n`)
  }
}

/** A small role to be made into one of your own, or one that installs a chart. @throws UsageError */
async function roleFiles(
  invocation: Invocation,
  gvk: NewEntry,
  { folder, schemas }: { readonly folder: string; readonly schemas: string },
): Promise<Files> {
  const beginning = await beginningOf(invocation)
  if ('template' in beginning) {
    return filesIn(folder, newRoleFiles({ gvk, schemas, template: beginning.template }))
  }
  const named = await readChart(beginning.chart)
  const rendering = await renderAlone(named, sampleName(gvk.kind))
  const texts = newChartRoleFiles({
    gvk,
    schemas,
    chart: named.chart,
    comments: named.comments,
    path: named.path,
    rendering,
  })
  return filesIn(folder, { ...texts, ...Object.fromEntries(named.files) })
}

function filesIn(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Files {
  return new Map(Object.entries(files).map(([path, content]) => [join(folder, path), content]))
}

/** As it is written in files, on every system. */
function pathFrom(folder: string, target: string): string {
  return relative(folder, target).split(sep).join('/')
}

const NEW_WATCHES = `# yaml-language-server: $schema=schemas/watches.json
# Which resources rolebook looks after, and which role says what becomes of them.
`

/** The text of the file with one more entry. @throws UsageError when it is wrong, or has an entry for these resources */
function withEntry(path: string, entry: NewEntry & JsonObject, { environment }: Terminal): string {
  const refuseErrors = (text: string): void => {
    const errors = parseWatches(new SourceFile(path, text), { environment }).diagnostics.filter(isError)
    if (errors.length > 0) throw new UsageError(`cannot add an entry to ${path}:\n${printDiagnostics(errors)}`)
  }
  const text = existsSync(path) ? readFileSync(path, 'utf8') : NEW_WATCHES
  if (!isBlank(text)) refuseErrors(text)
  const extended = appendItem(text, entry)
  refuseErrors(extended)
  return extended
}

/** The sandbox and a local operator keep a kubeconfig and tokens in `.rolebook`: none of that belongs into a repository. */
function ignoreFile(folder: string): Files {
  const path = join(folder, '.gitignore')
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (/^\/?\.rolebook\/?$/m.test(text)) return new Map()
  const above = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return new Map([[path, `${above}.rolebook/\n`]])
}

/** Comments say nothing. */
function isBlank(text: string): boolean {
  return text.replace(/^\s*#.*$/gm, '').trim() === ''
}

/** @throws UsageError */
function refuseOverwriting(paths: readonly string[]): void {
  const there = paths.filter((path) => existsSync(path))
  if (there.length > 0) throw new UsageError(`nothing was written: ${there.join(', ')} already there`)
}

function writeNew(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

function nextSteps({ given }: Invocation, folder: string): string {
  const flags = PROJECT_OPTIONS.flatMap((option) => {
    const name = option.flags.replace(/^--| .*/g, '')
    return given(name) === option.default ? [] : [`--${name} ${given(name)}`]
  })
  const start = `  ${startCommand()}`
  const lines = ['check', 'test', 'sandbox --samples'].map((words) => [start, words, ...flags].join(' '))
  return `\nNext, in this order:\n${lines.join('\n')}\nThen make the role your own: ${join(folder, 'role.yaml')}\n`
}
