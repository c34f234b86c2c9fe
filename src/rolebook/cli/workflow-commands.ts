import { relative, resolve, sep } from 'node:path'
import type { Diagnostic } from '../../core/yaml/diagnostic.ts'
import { isSkipped, type TestResult } from '../role-test/test-result.ts'

export interface WorkflowOptions {
  /** The folder of the repository, whose files GitHub knows: `GITHUB_WORKSPACE`. Absent: the present folder. */
  readonly workspace?: string | undefined
}

/** Findings as commands of a workflow of GitHub, which shows each at its line. */
export function printFindings(diagnostics: readonly Diagnostic[], options: WorkflowOptions): string {
  const commands = diagnostics.map((one) => {
    const { severity, code, file, line, column, endColumn, message, hint } = one
    const text = hint === undefined ? message : `${message} (${hint})`
    const level = severity === 'note' ? 'notice' : severity
    return command(level, { file: fileFor(file, options), line, col: column, endColumn, title: code }, text)
  })
  return commands.join('')
}

/** What has failed in tests, at the expectation that is not met, and what was skipped. */
export function printTestResults(results: readonly TestResult[], options: WorkflowOptions): string {
  const placed = ({ file, line, column }: { file: string; line: number; column: number }) => {
    return { file: fileFor(file, options), line, col: column }
  }
  const commands = results.flatMap((result) => [
    ...result.failures.map((failure) =>
      command('error', { ...placed(failure), title: `${failure.step}: ${failure.title}` }, textOf(failure)),
    ),
    ...(result.skips ?? []).map((skip) =>
      command(
        'notice',
        { ...placed(skip), title: isSkipped(result) ? 'skipped' : `${skip.step}: skipped` },
        skip.reason,
      ),
    ),
  ])
  return commands.join('')
}

/** GitHub shows no annotation without a text. */
function textOf({ title, details }: { readonly title: string; readonly details: readonly string[] }): string {
  return details.length === 0 ? title : details.join('\n')
}

type Level = 'error' | 'warning' | 'notice'

/** `::error file=…,line=…::message` */
function command(
  level: Level,
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined)
  const list = given.map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',')
  return `::${level} ${list}::${escapeData(message)}\n`
}

/** GitHub knows files by their paths in the repository. One outside of it keeps its path. */
function fileFor(file: string, { workspace }: WorkflowOptions): string {
  if (workspace === undefined || workspace === '') return file
  const path = relative(workspace, resolve(file))
  return path.startsWith('..') ? file : path.split(sep).join('/')
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
