import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { explain } from '../../../core/base/coded-error.ts'
import { printYaml } from '../../../core/yaml/print-yaml.ts'
import { crdFiles } from '../../generate/crd/crd-file.ts'
import { configFile, deployFiles, type Installation, rbacFile } from '../../generate/deploy-files.ts'
import { projectDockerfile, stockDockerfile } from '../../generate/dockerfile.ts'
import type { GeneratedFile } from '../../generate/generated-file.ts'
import { unknownGrants } from '../../generate/granting-rights.ts'
import { chartFiles } from '../../generate/helm/chart-files.ts'
import { MAX_NAME_LENGTH } from '../../generate/install-settings.ts'
import { bundleFiles } from '../../generate/olm/bundle-files.ts'
import { inBuildContext } from '../build-context.ts'
import { CHART_CRD_OPTIONS, printChartCrd } from '../chart-crd.ts'
import { type Command, type Invocation, UsageError } from '../command.ts'
import { formerManifests } from '../former-manifests.ts'
import { loadInstallation, refuseUnknownKinds } from '../load-installation.ts'
import { problemsText, projectOptions } from '../open-project.ts'
import { PROJECT_OPTIONS } from '../options.ts'
import { programVersion } from '../program-version.ts'
import { readCrds } from '../read-crds.ts'
import { EXIT } from '../terminal.ts'
import { COUNT, NAMESPACE, NAMESPACES, OBJECT_NAME, SHARDS, TEXT, type ValueKind } from '../value-kind.ts'

type Generator = (installation: Installation, invocation: Invocation) => readonly GeneratedFile[]

/** What can be generated, in the order of `--help`. */
const GENERATORS: Readonly<Record<string, Generator>> = {
  deploy: deployFiles,
  rbac: (installation) => [rbacFile(installation)],
  crd: crdFiles,
  configmap: (installation) => [configFile(installation)],
  dockerfile: ({ settings: { image } }, invocation) =>
    invocation.flag('stock') ? stockDockerfile({ image }) : [projectDockerfile({ image, ...placesIn(invocation) })],
  helm: (installation, { text }) =>
    chartFiles(installation, { version: text('bundle-version') ?? programVersion(), appVersion: programVersion() }),
  olm: (installation, { given, text }) =>
    bundleFiles(installation, {
      version: text('bundle-version') ?? programVersion(),
      channel: given('channel'),
      provider: text('provider') ?? given('name'),
    }),
}

/** A semantic version, as the Operator Lifecycle Manager orders them. */
const VERSION: ValueKind<string> = {
  parse: (text) => (/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-[0-9A-Za-z.-]+)?$/.test(text) ? text : undefined),
  expected: 'Expected a version such as 1.2.3 or 1.2.3-rc.1.',
}

/** A Service begins with it, and older servers take no digit in front of one. */
const NAME: ValueKind<string> = {
  parse: (text) => (text.length <= MAX_NAME_LENGTH && /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(text) ? text : undefined),
  expected:
    `Expected at most ${MAX_NAME_LENGTH} lower-case letters, digits and dashes, with a letter in front and no dash at the end: ` +
    'the name of a Service begins with it.',
}

const IMAGE: ValueKind<string> = {
  parse: (text) => (/^\S+$/.test(text) ? text : undefined),
  expected: 'Expected the name of an image, such as registry.example.com/rolebook:1.2.3.',
}

/** Those that say which resources there are. */
const NAMES_KINDS: ReadonlySet<string> = new Set(['deploy', 'rbac', 'helm', 'olm'])

const WHICH_IMAGE = '--built-in: which image has the roles built in? give --image, too'

const WHICH_FOLDER = 'a chart is a folder: which one? give --output'

const CHOICE = `choose one of ${Object.keys(GENERATORS).join(', ')}`

export const generateCommand: Command = {
  name: 'generate',
  summary: 'write what installs the project on a cluster',
  description:
    'Computes from watches.yaml and the roles what a cluster needs to run them: rbac (exactly the rights that the tasks need), ' +
    'crd (with a draft for a kind that has none), configmap (the roles themselves), deploy (all of these with a Deployment and what belongs to it, for kustomize), ' +
    'dockerfile (an image with the roles built in), helm (the same as deploy, as a Helm chart), olm (a bundle for the Operator Lifecycle Manager). Prints it, or writes it into a folder. ' +
    'With --check nothing is written: exit code 3 when a file of the folder is not current.',
  arguments: '<what>',
  options: [
    ...PROJECT_OPTIONS,
    { flags: '--output <dir>', description: 'write files into a folder instead of printing' },
    { flags: '--check', description: 'only say which files of --output are not current' },
    {
      flags: '--namespace <name>',
      description: 'where the operator runs',
      default: 'rolebook-system',
      kind: NAMESPACE,
    },
    { flags: '--name <name>', description: 'of everything that is made', default: 'rolebook', kind: NAME },
    { flags: '--image <image>', description: `the image that runs (rolebook:${programVersion()})`, kind: IMAGE },
    {
      flags: '--built-in',
      description: 'deploy, helm, olm: the image of --image has the roles built in (dockerfile): none are mounted',
    },
    {
      flags: '--replicas <count>',
      description: 'deploy, helm, olm: how many Pods there are',
      default: '2',
      kind: COUNT,
    },
    {
      flags: '--shards <count>',
      description:
        'deploy, rbac, helm, olm: into how many shares the resources are split, which all Pods work on at the same time',
      default: '1',
      kind: SHARDS,
    },
    {
      flags: '--watch-namespaces <list>',
      description: 'namespaces to watch, separated by commas (all when left out): rights are given in these alone',
      environment: 'WATCH_NAMESPACE',
      kind: NAMESPACES,
    },
    {
      flags: '--schemas <dir>',
      description: 'a folder with CRDs of kinds that roles read or make and that are not theirs',
    },
    {
      flags: '--bundle-version <version>',
      description: `helm: the version of the chart; olm: that of the operator, as the Operator Lifecycle Manager knows it (${programVersion()})`,
      kind: VERSION,
    },
    { flags: '--channel <name>', description: 'olm: the channel of the bundle', default: 'stable', kind: OBJECT_NAME },
    { flags: '--provider <name>', description: 'olm: who publishes it (the name of the operator)', kind: TEXT },
    { flags: '--stock', description: 'dockerfile: the stock image itself, from a checkout of rolebook' },
    ...CHART_CRD_OPTIONS,
  ],
  examples: [
    'rolebook generate rbac',
    'rolebook generate deploy --output deploy --image registry.example.com/rolebook:1.2.3',
    'rolebook generate deploy --output deploy --image registry.example.com/rolebook:1.2.3 --check',
    'rolebook generate deploy --output deploy --image registry.example.com/my-operator:1.0.0 --built-in',
    'rolebook generate helm --output chart --image registry.example.com/rolebook:1.2.3',
    'rolebook generate deploy --output deploy --replicas 4 --shards 8',
    'rolebook generate rbac --watch-namespaces team-a,team-b',
    'rolebook generate crd --from-chart ./tomcat --group apache.org --kind Tomcat',
  ],
  async run(invocation) {
    const { terminal, files, flag, text } = invocation
    const [what = ''] = files
    const generator = GENERATORS[what]
    if (!generator) throw new UsageError(`cannot generate "${what}": ${CHOICE}`)
    if (what === 'crd' && text('from-chart') !== undefined) return printChartCrd(invocation)
    const folder = text('output')
    if (what === 'helm' && folder === undefined) throw new UsageError(WHICH_FOLDER)
    if (flag('check') && folder === undefined) throw new UsageError('--check: which folder? give --output, too')
    if (flag('built-in') && text('image') === undefined) throw new UsageError(WHICH_IMAGE)
    const installation = await openInstallation(invocation)
    if (!installation) return EXIT.usage
    if (NAMES_KINDS.has(what)) refuseUnknownKinds(installation)
    const generated = generate(generator, installation, invocation)
    if (NAMES_KINDS.has(what)) for (const one of unknownGrants(installation.project)) terminal.err(`${one}\n`)
    if (folder === undefined) {
      terminal.out(printed(generated))
      return EXIT.ok
    }
    const stale = generated.filter((file) => isStale(folder, file))
    const paths = stale.map(({ path }) => join(folder, path))
    const former = what === 'olm' ? formerManifests(folder, generated) : []
    if (flag('check')) {
      for (const path of [...paths, ...former]) terminal.out(`${path} is not current\n`)
      return stale.length + former.length === 0 ? EXIT.ok : EXIT.findings
    }
    writeFiles(folder, stale)
    for (const path of former) rmSync(path)
    const done = [...paths.map((path) => `wrote ${path}\n`), ...former.map((path) => `removed ${path}\n`)]
    terminal.out(done.join(''))
    return EXIT.ok
  },
}

/** `undefined` after everything that is wrong with the project was printed. */
async function openInstallation(invocation: Invocation): Promise<Installation | undefined> {
  const { terminal, flag, text, given } = invocation
  const folder = text('schemas')
  const watched = NAMESPACES.parse(text('watch-namespaces') ?? '')
  const watchNamespaces = watched === 'all' ? undefined : watched
  const options = projectOptions(invocation, { crds: folder === undefined ? [] : readCrds(folder) })
  const image = text('image') ?? `rolebook:${programVersion()}`
  const names = { name: given('name'), namespace: given('namespace'), image }
  const sizes = { replicas: Number(given('replicas')), shards: Number(given('shards')) }
  const settings = { ...names, ...sizes, watchNamespaces, builtIn: flag('built-in') }
  const { installation, diagnostics } = await loadInstallation({ ...options, namespaces: watchNamespaces }, settings)
  terminal.err(problemsText({ diagnostics }, terminal))
  return installation
}

function placesIn(invocation: Invocation) {
  return {
    watchesFile: inBuildContext('watches-file', invocation),
    rolesPath: inBuildContext('roles-path', invocation),
  }
}

/** What does not fit is for people to mend. */
function generate(generator: Generator, installation: Installation, invocation: Invocation): readonly GeneratedFile[] {
  try {
    return generator(installation, invocation)
  } catch (error) {
    throw new UsageError(explain(error))
  }
}

/** For `kubectl apply --server-side -f -`: what a cluster takes, or else the texts as they are. */
function printed(files: readonly GeneratedFile[]): string {
  const objects = files.flatMap((file) => file.objects ?? [])
  return objects.length > 0 ? printYaml(objects) : files.map(({ text }) => text).join('')
}

function isStale(folder: string, { path, text }: GeneratedFile): boolean {
  try {
    return readFileSync(join(folder, path), 'utf8') !== text
  } catch {
    return true
  }
}

function writeFiles(folder: string, files: readonly GeneratedFile[]): void {
  try {
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  } catch (error) {
    throw new UsageError(`cannot write to ${folder}`, { cause: error })
  }
}
