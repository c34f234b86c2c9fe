import type { CommandOption } from './command.ts'
import { NAMESPACES, oneOf, SWITCH, TEXT } from './value-kind.ts'

/** Flags that more than one command takes: one row each, so that they mean the same everywhere. */
export const WATCHES_FILE_OPTION = {
  flags: '--watches-file <path>',
  description: 'the file that maps kinds to roles',
  environment: 'ROLEBOOK_WATCHES_FILE',
  default: 'watches.yaml',
  kind: TEXT,
} as const satisfies CommandOption

export const ROLES_PATH_OPTION = {
  flags: '--roles-path <path>',
  description: 'the folder that holds the roles',
  environment: 'ROLEBOOK_ROLES_PATH',
  default: 'roles',
  kind: TEXT,
} as const satisfies CommandOption

export const PROJECT_OPTIONS: readonly CommandOption[] = [WATCHES_FILE_OPTION, ROLES_PATH_OPTION]

export const LOG_LEVEL_OPTION = {
  flags: '--log-level <level>',
  description: 'the least important lines to print',
  environment: 'ROLEBOOK_LOG_LEVEL',
  default: 'info',
  kind: oneOf('debug', 'info', 'warn', 'error'),
} as const satisfies CommandOption

export const LOG_FORMAT_OPTION = {
  flags: '--log-format <format>',
  description: 'json, one object a line, or text for people',
  environment: 'ROLEBOOK_LOG_FORMAT',
  default: 'text',
  kind: oneOf('json', 'text'),
} as const satisfies CommandOption

export const LOG_OPTIONS: readonly CommandOption[] = [LOG_LEVEL_OPTION, LOG_FORMAT_OPTION]

/** For commands whose results say most of what the log would. */
export function logOptions(level: 'warn' | 'error'): readonly CommandOption[] {
  return [{ ...LOG_LEVEL_OPTION, default: level }, LOG_FORMAT_OPTION]
}

/** For commands that run a project, and follow its changes. */
export const TEARDOWN_OPTION = {
  flags: '--allow-teardown',
  description:
    'take over changed or removed watch entries, also at the start, even if resources lose their role: what was made for them is removed',
  environment: 'ROLEBOOK_ALLOW_TEARDOWN',
  default: 'false',
  kind: SWITCH,
} as const satisfies CommandOption

export const NAMESPACE_OPTION = {
  flags: '--namespace <list>',
  description: 'namespaces to watch, separated by commas (all when left out)',
  environment: 'WATCH_NAMESPACE',
  kind: NAMESPACES,
} as const satisfies CommandOption

export const KUBECONFIG_OPTION = {
  flags: '--kubeconfig <path>',
  description: 'the kubeconfig (the one kubectl uses, else the service account of the pod)',
  kind: TEXT,
} as const satisfies CommandOption

export const CONTEXT_OPTION = {
  flags: '--context <name>',
  description: 'the context of the kubeconfig (its current one)',
  kind: TEXT,
} as const satisfies CommandOption
