import type { ProjectTexts } from '../protocol.ts'

/** Files that are listed under one heading. */
export interface FileGroup {
  /** `roles/web/`, or empty: the project itself. */
  readonly folder: string
  /** Paths below it, in order. */
  readonly names: readonly string[]
}

/** The files by the role that they belong to, those of the project itself last. */
export function groupFiles(files: ProjectTexts): readonly FileGroup[] {
  const groups = new Map<string, string[]>()
  for (const path of Object.keys(files).toSorted()) {
    const [, folder = '', name = path] = /^(roles\/[^/]+\/)(.+)$/.exec(path) ?? []
    groups.set(folder, [...(groups.get(folder) ?? []), name])
  }
  const all = [...groups].map(([folder, names]) => ({ folder, names: names.toSorted(folderLast) }))
  return all.toSorted((left, right) => Number(left.folder === '') - Number(right.folder === ''))
}

/** As the eye expects it: `role.yaml` comes before `samples/web.yaml`. Otherwise the names keep the order of their paths. */
function folderLast(left: string, right: string): number {
  return Number(left.includes('/')) - Number(right.includes('/'))
}
