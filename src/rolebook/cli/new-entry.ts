import { SchemaChecker } from '../../core/yaml/check-schema.ts'
import { WATCHES_SCHEMA } from '../config/watches-schema.ts'
import { type Invocation, UsageError } from './command.ts'

/** An entry of `watches.yaml` that is to be. */
export interface NewEntry {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly role: string
}

const FIRST_VERSION = 'v1alpha1'
const checker = new SchemaChecker(WATCHES_SCHEMA)

/** What the flags say; what they do not say is asked for, or has a default when there is no terminal. @throws UsageError */
export async function askForEntry({ terminal, text }: Invocation): Promise<NewEntry> {
  const { ask } = terminal
  if (!ask && (text('group') === undefined || text('kind') === undefined)) {
    throw new UsageError('--group and --kind are needed: there is no terminal to ask on')
  }
  const find = async (flag: string, question: string, fallback = ''): Promise<string> => {
    const given = text(flag)
    if (given !== undefined) return given
    const answer = await ask?.(`${question}${fallback === '' ? '' : ` [${fallback}]`}: `)
    return answer?.trim() || fallback
  }
  const group = await find('group', 'API group, such as example.com')
  const version = await find('version', 'Version', FIRST_VERSION)
  const kind = await find('kind', 'Kind, such as Website')
  const role = await find('role', 'Name of the role', kind.toLowerCase())
  return checked({ group, version, kind, role })
}

/** @throws UsageError */
function checked(entry: NewEntry): NewEntry {
  const [problem] = checker.check([{ ...entry }])
  if (problem) throw new UsageError(`--${problem.path[1]}: ${problem.problem.message}`)
  if (!entry.group.includes('.')) throw new UsageError('--group: a CRD needs a group with a dot, such as example.com')
  if (/(^|\.)(k8s|kubernetes)\.io$/.test(entry.group)) {
    throw new UsageError(`--group: ${entry.group} is kept for Kubernetes itself`)
  }
  return entry
}
