import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { printCounts, printReport } from '../../migrate/print-report.ts'
import { type Command, UsageError } from '../command.ts'
import { addTests } from '../migrate/add-tests.ts'
import { MIGRATIONS } from '../migrate/migrations.ts'
import { problemsText } from '../open-project.ts'
import { EXIT } from '../terminal.ts'

const NAMES = Object.keys(MIGRATIONS)

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'write what was made for another system as roles of rolebook',
  description:
    'Reads an Ansible operator (a folder with watches.yaml), ResourceGraphDefinitions of kro, a Helm chart, or a folder of ' +
    'Kustomize, and writes a project of ours into the output folder: CRDs, roles, samples, role tests, watches.yaml. It says ' +
    'of every part whether it maps by itself or what a person must decide. Nothing that is read is run, and no existing file ' +
    'is replaced. Exit code 3 when something is left to decide, 2 when a file cannot be read.',
  arguments: '<from> <path>',
  options: [
    {
      flags: '--output <dir>',
      description: 'the folder to write into, made when it is not there',
      default: 'migrated',
    },
    {
      flags: '--adopt',
      description:
        'ansible: the new roles take over objects without a controller, such as those that the operator has made',
    },
    { flags: '--group <group>', description: 'helm, kustomize: the API group of the new kind (example.com)' },
    { flags: '--kind <kind>', description: 'helm, kustomize: the new kind (the name of the chart or the folder)' },
    { flags: '--dry-run', description: 'only print the report' },
  ],
  examples: [
    'rolebook migrate ansible ../memcached-operator',
    'rolebook migrate kro webapp-rgd.yaml --output webapp',
    'rolebook migrate helm ./charts/tomcat --group apache.org',
    'rolebook migrate kustomize ./deploy --dry-run',
  ],
  async run(invocation) {
    const { terminal, files } = invocation
    const [from = '', path = ''] = files
    const migrate = Object.hasOwn(MIGRATIONS, from) ? MIGRATIONS[from] : undefined
    if (!migrate) throw new UsageError(`cannot migrate from "${from}": only from ${NAMES.join(', ')}`)
    const migration = await migrate(path, invocation)
    terminal.err(problemsText(migration, terminal))
    if (migration.diagnostics.length > 0) return EXIT.usage
    terminal.out(printReport(migration.findings))
    if (!invocation.flag('dry-run')) {
      const output = invocation.given('output')
      writeAll(output, migration.files)
      const places = { watchesFile: join(output, 'watches.yaml'), rolesPath: join(output, 'roles') }
      const tests = await addTests(places, terminal)
      terminal.err(`${migration.files.size + tests.length} files in ${output}: ${printCounts(migration.findings)}\n`)
    }
    return migration.findings.some(({ kind }) => kind === 'decide') ? EXIT.findings : EXIT.ok
  },
}

/** @throws UsageError before anything is written, when a file is there already */
function writeAll(folder: string, files: ReadonlyMap<string, string | Uint8Array>): void {
  const taken = [...files.keys()].find((path) => existsSync(join(folder, path)))
  if (taken !== undefined) {
    throw new UsageError(`cannot write ${join(folder, taken)}: it is there already (choose another --output)`)
  }
  for (const [path, content] of files) writeNew(join(folder, path), content)
}

function writeNew(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
