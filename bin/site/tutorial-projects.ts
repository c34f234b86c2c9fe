import { readFileSync } from 'node:fs'
import { newRoleFiles, type TemplateName } from '../../src/rolebook/scaffold/new-role.ts'
import { filesIn, type PageProject } from './page-projects.ts'

/** The sections of the tutorial after which an operator is complete, with what `init` has begun it with. */
const CHAPTERS: readonly { readonly title: string; readonly kind: string; readonly template: TemplateName }[] = [
  { title: '4. Test the change', kind: 'Shop', template: 'deployment' },
  { title: '6. Test the whole life', kind: 'Redis', template: 'statefulset' },
]

/** The projects of the tutorial, each by the section that completes it. */
export function tutorialProjects(path: string): readonly PageProject[] {
  const written = filesIn(readFileSync(path, 'utf8'))
  return CHAPTERS.map(({ title, kind, template }) => {
    const role = kind.toLowerCase()
    const folder = `roles/${role}/`
    const begun = newRoleFiles({
      gvk: { group: 'example.com', version: 'v1', kind },
      schemas: '../../schemas',
      template,
    })
    const files = {
      'watches.yaml': `- { group: example.com, version: v1, kind: ${kind}, role: ${role} }\n`,
      ...Object.fromEntries(Object.entries(begun).map(([name, text]) => [folder + name, text])),
      ...Object.fromEntries(Object.entries(written).filter(([name]) => name.startsWith(folder))),
    }
    return { title, files }
  })
}
