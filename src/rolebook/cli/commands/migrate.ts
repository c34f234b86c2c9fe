import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { migrateAnsible } from '../../migrate/migrate-ansible.ts'
import { printCounts, printReport } from '../../migrate/print-report.ts'
import { type Command, UsageError } from '../command.ts'
import { FolderFiles } from '../folder-files.ts'
import { problemsText } from '../open-project.ts'
import { EXIT } from '../terminal.ts'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'write the roles of an Ansible operator as roles of rolebook',
  description:
    'Reads watches.yaml and the roles of an Ansible operator in DIR, writes ours into the output folder, and says of every ' +
    'key, variable and task whether it maps by itself or what a person must decide. Nothing that is read is run, and no ' +
    'existing file is replaced. Exit code 3 when something is left to decide, 2 when a file cannot be read.',
  arguments: '<from> <dir>',
  options: [
    {
      flags: '--output <dir>',
      description: 'the folder to write into, made when it is not there',
      default: 'migrated',
    },
    {
      flags: '--adopt',
      description:
        'the new roles take over objects without a controller, such as those that the Ansible operator has made',
    },
    { flags: '--dry-run', description: 'only print the report' },
  ],
  examples: [
    'rolebook migrate ansible ../memcached-operator',
    'rolebook migrate ansible . --output ../memcached-rolebook',
  ],
  async run(invocation) {
    const { terminal, files } = invocation
    const [from = '', dir = ''] = files
    if (from !== 'ansible') throw new UsageError(`cannot migrate from "${from}": only from "ansible"`)
    if (!existsSync(dir)) throw new UsageError(`cannot read ${dir}: there is no such folder`)
    const migration = migrateAnsible(new FolderFiles(dir), { adopt: invocation.flag('adopt') })
    terminal.err(problemsText(migration, terminal))
    if (migration.diagnostics.length > 0) return EXIT.usage
    terminal.out(printReport(migration.findings))
    if (!invocation.flag('dry-run')) {
      const output = invocation.given('output')
      writeAll(output, migration.files)
      terminal.err(`${migration.files.size} files in ${output}: ${printCounts(migration.findings)}\n`)
    }
    return migration.findings.some(({ kind }) => kind === 'decide') ? EXIT.findings : EXIT.ok
  },
}

/** @throws UsageError before anything is written, when a file is there already */
function writeAll(folder: string, files: ReadonlyMap<string, string>): void {
  const taken = [...files.keys()].find((path) => existsSync(join(folder, path)))
  if (taken !== undefined) {
    throw new UsageError(`cannot write ${join(folder, taken)}: it is there already (choose another --output)`)
  }
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
