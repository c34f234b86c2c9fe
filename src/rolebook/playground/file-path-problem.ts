import { ROLE_NAME } from '../config/role-name.ts'
import { OTHER_PURPOSES, whyUnread } from '../config/unread-paths.ts'
import type { ProjectTexts } from './protocol.ts'
import { MOST_FILES, SHARED_PATH } from './share-link.ts'

const ROLES = 'roles'
const WATCHES = 'watches.yaml'

/**
 * Why a project cannot have one more file at a path, with what to do about it. `undefined`: it can. A file that the command line would not read
 * is refused for the same reason, and so is one that a link could not hold.
 */
export function filePathProblem(path: string, files: ProjectTexts): string | undefined {
  const others = Object.keys(files)
  if (others.length >= MOST_FILES) return `a project has at most ${MOST_FILES} files here (delete one first)`
  return shapeProblem(path) ?? neighbourProblem(path, others) ?? placeProblem(path.split('/'))
}

function shapeProblem(path: string): string | undefined {
  if (path === '') return 'it has no name (write a path such as roles/web/role.yaml)'
  const steps = path.split('/')
  if (steps.some((step) => step === '..' || step === '.') || path.startsWith('/') || path.includes('\\'))
    return 'the path leads out of the project (write names with `/` between them, without `.`, `..` or a `/` in front)'
  if (steps.includes('')) return 'a name in the path is empty (write one name after each `/`)'
  if (SHARED_PATH.test(path)) return undefined
  return 'a name has letters, digits, `-`, `_` and `.`, and a path at most 9 names (write another one)'
}

function neighbourProblem(path: string, others: readonly string[]): string | undefined {
  const inside = others.find((other) => other.startsWith(`${path}/`))
  if (inside !== undefined) return `there is a folder with this name, of ${inside} (write another name)`
  for (const other of others) {
    if (other === path) return 'the project has this file already (open it in the list, or write another name)'
    if (path.startsWith(`${other}/`)) return `${other} is a file, not a folder (write another name)`
    if (other.toLowerCase() === path.toLowerCase())
      return `it and ${other} differ only in case (write another name: some file systems take them for one)`
  }
  return undefined
}

function placeProblem([first = '', ...steps]: readonly string[]): string | undefined {
  if (first === WATCHES && steps.length === 0) return undefined
  if (first !== ROLES || steps.length === 0)
    return `a file of this name is not read: a project is ${WATCHES} and the folder ${ROLES} (begin with ${ROLES}/)`
  const [role = '', ...below] = steps
  if (below.length === 0) return besideProblem(role)
  if (!new RegExp(ROLE_NAME.pattern).test(role)) return `"${role}" ${ROLE_NAME.explain} (write another name)`
  return roleProblem(below)
}

/** Of a file that stands beside the folders of roles. */
function besideProblem(name: string): string | undefined {
  const isRead = name.endsWith('.yaml') || name.includes('.files.') || name.endsWith('.charts.json')
  if (isRead && !name.startsWith('.')) return undefined
  return yamlProblem(name) ?? `a file beside the roles is a role (end it in .yaml, or put it into the folder of a role)`
}

/** Of a path below the folder of a role. */
function roleProblem(below: readonly string[]): string | undefined {
  const [first = ''] = below
  const isFolder = below.length > 1
  if (first === 'charts' && isFolder) return undefined
  if ((first === 'role.yaml' || first === 'crd.yaml') && !isFolder) return undefined
  if ((first === 'samples' || first === 'tests') && isFolder) return caseProblem(below)
  const reason = OTHER_PURPOSES.has(first) ? whyUnread(first) : (yamlProblem(first) ?? whyUnread(below.join('/')))
  return reason?.replace(/: (?<remedy>[^:]+)$/, ' ($<remedy>)')
}

/** Of a path whose first name is `samples` or `tests`. */
function caseProblem([folder, name = '', ...deeper]: readonly string[]): string | undefined {
  if (deeper.length > 0) return `folders within \`${folder}\` are not read (put the file into \`${folder}\` itself)`
  if (name.startsWith('.')) return 'names that begin with `.` are not read (rename it)'
  return name.endsWith('.yaml') ? undefined : (yamlProblem(name) ?? `in \`${folder}\`, names end in .yaml (rename it)`)
}

function yamlProblem(name: string): string | undefined {
  if (!name.endsWith('.yml')) return undefined
  return `names of YAML files end in \`.yaml\` (rename it to ${name.slice(0, -'.yml'.length)}.yaml)`
}
