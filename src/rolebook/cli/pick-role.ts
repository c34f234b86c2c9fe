import type { Project } from '../../engine/operator/project.ts'
import type { Role } from '../../engine/role/role.ts'
import { UsageError } from './command.ts'

/** The role of a name; without a name, the only one that there is. @throws UsageError */
export function pickRole({ watches }: Project, name: string | undefined): Role {
  const roles = new Map(watches.map(({ role }) => [role.name, role]))
  const [only, ...others] = roles.values()
  const role = name === undefined && others.length === 0 ? only : roles.get(name ?? '')
  if (role) return role
  const problem = name === undefined ? 'which role?' : `there is no role "${name}":`
  throw new UsageError(`${problem} choose one of ${[...roles.keys()].join(', ')}`)
}
