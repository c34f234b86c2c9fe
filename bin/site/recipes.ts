import { parse, stringify } from 'yaml'
import type { KubeObject } from '../../src/core/kube/object.ts'
import { type PageProject, projectsIn } from './page-projects.ts'

const ROLE = 'roles/app/role.yaml'
const TEST = 'roles/app/tests/recipe.yaml'
const WATCHES = '- { group: example.com, version: v1, kind: App, role: app }\n'

/** The recipes of the cookbook, each with the kind that they share. */
export function recipesIn(path: string): readonly PageProject[] {
  const sections = projectsIn(path)
  const kind = sections.at(-1)?.files ?? {}
  return sections
    .filter(({ files }) => ROLE in files)
    .map(({ title, files }) => ({ title, files: { 'watches.yaml': WATCHES, ...kind, ...files } }))
}

/** A recipe with what its test begins with as a sample, so that there is something to look at. */
export function withSample({ title, files }: PageProject): PageProject {
  const { given = [] }: { given?: readonly (KubeObject | string)[] } = parse(files[TEST] ?? '') ?? {}
  const objects = given.filter((one) => typeof one !== 'string')
  if (objects.length === 0) return { title, files }
  const sample = objects.map((one) => stringify(one)).join('---\n')
  return { title, files: { ...files, 'roles/app/samples/app.yaml': sample } }
}
