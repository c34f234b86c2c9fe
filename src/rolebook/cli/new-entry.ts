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
  const find = async (field: keyof NewEntry, question: string, fallback = ''): Promise<string> => {
    const given = text(field)
    if (given !== undefined || !ask) return given ?? fallback
    for (;;) {
      const answer = (await ask(`${question}${fallback === '' ? '' : ` [${fallback}]`}: `)).trim() || fallback
      const problem = problemIn({ ...SOUND, [field]: answer })
      if (!problem) return answer
      terminal.err(`${problem.message}\n`)
    }
  }
  const group = await find('group', 'API group, such as example.com')
  const version = await find('version', 'Version', FIRST_VERSION)
  const kind = await find('kind', 'Kind, such as Website')
  const role = await find('role', 'Name of the role', kind.toLowerCase())
  const entry = { group, version, kind, role }
  const problem = problemIn(entry)
  if (problem) throw new UsageError(`--${problem.field}: ${problem.message}`)
  return entry
}

const SOUND: NewEntry = { group: 'example.com', version: 'v1', kind: 'Website', role: 'website' }

/** The first field that is wrong, and why. */
function problemIn(entry: NewEntry): { readonly field: string; readonly message: string } | undefined {
  const [found] = checker.check([{ ...entry }])
  const { group } = entry
  const field = String(found?.path[1])
  // An entry may be about the core group; a new role has a CRD.
  if (field === 'group' && group !== '')
    return { field, message: 'must be a DNS name in lower case such as example.com' }
  if (found) return { field, message: found.problem.message }
  if (!group.includes('.')) return { field: 'group', message: 'a CRD needs a group with a dot, such as example.com' }
  const isReserved = /(^|\.)(k8s|kubernetes)\.io$/.test(group)
  return isReserved ? { field: 'group', message: `${group} is kept for Kubernetes itself` } : undefined
}
