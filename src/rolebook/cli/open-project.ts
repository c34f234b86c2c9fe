import { printDiagnostics } from '../../core/yaml/print-diagnostics.ts'
import type { Project } from '../../engine/operator/project.ts'
import { builtinTaskKinds } from '../../engine/tasks/builtin-task-kinds.ts'
import { loadBuiltinSchemas } from '../../sandbox/cluster/load-builtin-schemas.ts'
import type { ProjectResult } from '../config/load-project.ts'
import { loadProject, type ProjectOptions } from '../config/load-project.ts'
import type { KnownSchemas } from '../config/project-schemas.ts'
import type { Invocation } from './command.ts'
import type { Terminal } from './terminal.ts'
import { NAMESPACES } from './value-kind.ts'

/** Where the project of an invocation lies, and what it may refer to. */
export function projectOptions(
  { terminal, text, given }: Invocation,
  further: Omit<KnownSchemas, 'builtin'> = {},
): ProjectOptions {
  return {
    watchesFile: given('watches-file'),
    rolesPath: given('roles-path'),
    environment: terminal.environment,
    namespaces: namespacesOf(text('namespace')),
    kinds: builtinTaskKinds,
    schemas: { builtin: loadBuiltinSchemas(), ...further },
  }
}

/** Names of namespaces; nothing is all of them. */
function namespacesOf(list: string | undefined): readonly string[] | undefined {
  const names = NAMESPACES.parse(list ?? '')
  return names === 'all' ? undefined : names
}

/** The project, or `undefined` after everything that is wrong with it was printed. */
export async function openProject(options: ProjectOptions, terminal: Terminal): Promise<Project | undefined> {
  const result = await loadProject(options)
  terminal.err(problemsText(result, terminal))
  return result.project
}

export function problemsText(
  { diagnostics }: Pick<ProjectResult, 'diagnostics'>,
  { color }: Pick<Terminal, 'color'>,
): string {
  return diagnostics.length === 0 ? '' : `${printDiagnostics(diagnostics, { color })}\n${countOf(diagnostics)}\n`
}

/** `2 errors, 1 warning, 1 note`. */
export function countOf(diagnostics: ProjectResult['diagnostics']): string {
  const count = (severity: 'error' | 'warning' | 'note'): string => {
    const found = diagnostics.filter((one) => one.severity === severity).length
    return found === 0 ? '' : `${found} ${severity}${found === 1 ? '' : 's'}`
  }
  return [count('error'), count('warning'), count('note')].filter((text) => text !== '').join(', ')
}
