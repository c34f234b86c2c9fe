import { join } from 'node:path'
import type { RoleSources } from '../../engine/role/parse/role-sources.ts'
import type { ProjectFiles, RoleFiles } from './project-files.ts'
import { findChart } from './read-charts.ts'
import type { TextFile } from './read-text-file.ts'
import { whyUnread } from './unread-paths.ts'

/**
 * The files of tasks and the texts of a role: those in its folder, and those beside it, where `web.files.motd.txt` is
 * `files/motd.txt` of the role `web`. A mounted ConfigMap has no folders.
 */
export function filesOfRole(
  name: string,
  { roles, beside }: Pick<ProjectFiles, 'roles' | 'beside'>,
  rolesPath: string,
): RoleSources {
  const { files: inFolder, role, charts } = roles.get(name) as RoleFiles
  const flatNameOf = (path: string): string => `${name}.${path.replaceAll('/', '.')}`
  const hasFolder = inFolder.size > 0 || role.some(({ path }) => path === join(rolesPath, name, 'role.yaml'))
  return {
    paths: [...inFolder.keys()],
    read: (path) => {
      const flat = flatNameOf(path)
      const asRole = flat.endsWith('.yaml') ? roles.get(flat.slice(0, -'.yaml'.length))?.role : undefined
      const isFlat = (file: TextFile): boolean => file.path === join(rolesPath, flat)
      return inFolder.get(path) ?? beside.get(flat) ?? asRole?.find(isFlat) ?? brokenFolder(path, inFolder)
    },
    chart: (path) => charts && findChart(charts, path),
    whyUnread: (path) => (hasFolder ? whyUnread(path) : undefined),
    placeOf: (path) => (hasFolder ? join(rolesPath, name, path) : join(rolesPath, flatNameOf(path))),
  }
}

/** The folder around a path that could not be read. */
function brokenFolder(path: string, files: ReadonlyMap<string, TextFile>): TextFile | undefined {
  const steps = path.split('/')
  const folders = steps.slice(1).map((_step, index) => steps.slice(0, index + 1).join('/'))
  return folders.map((folder) => files.get(folder)).find((file) => file !== undefined)
}
