import { diagnosticOf } from '../../core/yaml/diagnostic.ts'
import { printYaml } from '../../core/yaml/print-yaml.ts'
import type { SourceFolder } from './ansible-files.ts'
import { type EntryResult, type MigrateOptions, readWatches, WatchMigration } from './migrate-watches.ts'
import type { Migration } from './migration.ts'
import { Report } from './report.ts'

/**
 * The folder of an Ansible operator to a project of ours. What has no certain translation becomes a task that fails, or a
 * comment, and a line in the report. Nothing that is read is run.
 */
export function migrateAnsible(files: SourceFolder, options: MigrateOptions): Migration<string> {
  const report = new Report()
  const watches = readWatches(files, report)
  if (!watches) {
    const message = 'there is no watches.yaml'
    const hint = 'name the folder of the Ansible operator, in which watches.yaml and roles are'
    return {
      files: new Map(),
      findings: [],
      diagnostics: [diagnosticOf('watches.yaml', { code: 'RB1702', message, hint })],
    }
  }
  const migration = new WatchMigration(files, report, options)
  const entries = watches.flatMap((document) => migration.migrate(document))
  const { findings, diagnostics } = report
  if (diagnostics.length > 0) return { files: new Map(), findings, diagnostics }
  const roles = entries.flatMap((entry) => [...entry.files])
  return { files: new Map([['watches.yaml', printWatches(entries)], ...roles]), findings, diagnostics }
}

function printWatches(entries: readonly EntryResult[]): string {
  const texts = entries.map(({ entry, comments }) => {
    return `${comments.map((comment) => `# ${comment}\n`).join('')}${printYaml([[entry]])}`
  })
  return `# Made from the watches.yaml of an Ansible operator by \`rolebook migrate ansible\`.\n${texts.join('\n')}`
}
