import { expect } from 'chai'
import { complete } from '../../../src/rolebook/lsp/completion.ts'
import { hover } from '../../../src/rolebook/lsp/hover.ts'
import { fileAt, meaningAt } from '../../../src/rolebook/lsp/navigation.ts'
import { ProjectFolder } from '../../support/project-folder.ts'
import { ViewedProject } from './viewed-project.ts'
import { ROLE, typed, WEB_PROJECT } from './web-project.ts'

const NOT_UTF8 = Uint8Array.of(0xff, 0xfe, 0x00)
const CRD = WEB_PROJECT['roles/web/crd.yaml'] ?? ''
const STARTED = 'roles/started/tasks/more.yaml'
const UNUSED = 'roles/unused/role.yaml'
const UNREAD = 'roles/web/files/unread.txt'
const LONG_TEXT = 'x'.repeat(300)
const VARS = 'vars: { color: red, port: "${$number(metadata.name)}" }\ntasks: [{ fail: { message: "${$color}" } }]\n'
const MAIN_AND_END = `finalize:
  - loop: \${["z"]}
    loopVar: port
    fail: { message: "\${$port}" }
tasks:
  - loop: \${spec.ports}
    loopVar: port
    fail: { message: "\${$port.name}" }
`

interface Project {
  readonly name: string
  readonly files: Readonly<Record<string, string | Uint8Array>>
  readonly cases: readonly Case[]
}

/** What is answered at `¦` in a text of a file. */
interface Case {
  readonly name: string
  readonly file: string
  readonly text: string
  /** All labels that are offered. */
  readonly offers?: readonly string[]
  /** Some of them. */
  readonly has?: readonly string[]
  readonly hovers?: RegExp | undefined
  /** The lines and texts of the places where a name is defined. */
  readonly definitions?: readonly string[] | undefined
  /** The end of the path that a definition leads to; `false`: to no file. */
  readonly leadsTo?: string | false
}

const PROJECTS: readonly Project[] = [
  {
    name: 'a project whose watches.yaml has no entries',
    files: {
      'watches.yaml': '# none yet\n',
      [STARTED]: '',
      [UNUSED]: '',
      'roles/unused/crd.yaml': CRD,
    },
    cases: [
      {
        name: 'no names in a file of tasks whose role has no role.yaml',
        file: STARTED,
        text: '- fail: { message: "${¦}" }\n',
        offers: [],
      },
      {
        name: 'the kinds of tasks there all the same',
        file: STARTED,
        text: '- ¦\n',
        has: ['ensure', 'status'],
      },
      {
        name: 'what a kind of task does there all the same',
        file: STARTED,
        text: '- fa¦il: { message: no }\n',
        hovers: /^`fail`: object\n\nFails the run until its inputs change\./,
      },
      {
        name: 'the variables of a role that no entry uses',
        file: UNUSED,
        text: 'vars: { tier: gold }\ntasks: [{ fail: { message: "${$¦}" } }]\n',
        has: ['$tier', '$sum'],
      },
      {
        name: 'no fields of the status of a kind that is not known',
        file: UNUSED,
        text: 'tasks:\n  - status:\n      ¦\n',
        offers: [],
      },
      {
        name: 'the definition of a variable',
        file: UNUSED,
        text: 'vars: { tier: gold }\ntasks: [{ fail: { message: "${$ti¦er}" } }]\n',
        definitions: ['1 tier'],
      },
    ],
  },
  {
    name: 'a project whose watches.yaml is not UTF-8',
    files: { ...WEB_PROJECT, 'watches.yaml': NOT_UTF8 },
    cases: [
      {
        name: 'the definition of a variable',
        file: ROLE,
        text: typed(ROLE, '"${$tier}"', '"${$ti¦er}"'),
        definitions: ['2 tier'],
      },
    ],
  },
  {
    name: 'a project with more files',
    files: {
      ...WEB_PROJECT,
      'notes.yaml': '',
      [UNREAD]: '',
      'roles/flat.yaml': '',
      'roles/web/samples/a-config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n',
      'roles/web/samples/broken.yaml': NOT_UTF8,
      'roles/web/charts/redis/Chart.yaml': 'apiVersion: v2\nname: redis\nversion: 1.0.0\n',
      'roles/web/charts/packed.tgz': 'packed',
    },
    cases: [
      {
        name: 'the value in the first sample of the kind that can be read',
        file: ROLE,
        text: typed(ROLE, '${spec.replicas}', '${spec.repl¦icas}'),
        hovers: /^`replicas`: a number\n\nHow many pods serve\.\n\nIn the sample: `3`$/,
      },
      { name: "nothing in a file that is not the project's", file: 'notes.yaml', text: 'tasks: ¦\n', offers: [] },
      { name: 'nothing to read of such a file', file: 'notes.yaml', text: 'ta¦sks: []\n', hovers: undefined },
      {
        name: 'no definition in such a file',
        file: 'notes.yaml',
        text: 'after: [a¦b]\n',
        definitions: undefined,
        leadsTo: false,
      },
      { name: 'nothing in a text that no task reads', file: UNREAD, text: 'Hello ${$¦}', offers: [] },
      {
        name: 'the chart in a folder',
        file: ROLE,
        text: `${WEB_PROJECT[ROLE]}  - chart: { path: charts/re¦dis, kinds: [v1/Service] }\n`,
        leadsTo: 'roles/web/charts/redis/Chart.yaml',
      },
      {
        name: 'the packed chart',
        file: ROLE,
        text: `${WEB_PROJECT[ROLE]}  - chart: { path: charts/pack¦ed.tgz, kinds: [v1/Service] }\n`,
        leadsTo: 'roles/web/charts/packed.tgz',
      },
      {
        name: 'no chart that is not there',
        file: ROLE,
        text: `${WEB_PROJECT[ROLE]}  - chart: { path: charts/no¦ne, kinds: [v1/Service] }\n`,
        leadsTo: false,
      },
      {
        name: 'no file that a value of a role without a folder names',
        file: 'roles/flat.yaml',
        text: 'tasks: [{ fail: { message: motd¦.txt } }]\n',
        leadsTo: false,
      },
      {
        name: 'the item of a loop above another of the same name, of tasks that stand below those of the end',
        file: ROLE,
        text: MAIN_AND_END.replace('"${$port}"', '"${$po¦rt}"'),
        definitions: ['3 port'],
      },
      {
        name: 'the item of the loop below it',
        file: ROLE,
        text: MAIN_AND_END.replace('$port.name', '$po¦rt.name'),
        definitions: ['7 port'],
      },
      {
        name: 'the definition of a variable beside an expression that cannot be read',
        file: ROLE,
        text: 'vars: { tier: a }\ntasks: [{ fail: { message: "${spec.} ${$ti¦er}" } }]\n',
        definitions: ['1 tier', '5 tier'],
      },
      {
        name: 'nothing of a name in an expression that cannot be read',
        file: ROLE,
        text: 'tasks: [{ fail: { message: "${spec. + me¦tadata}" } }]\n',
        hovers: undefined,
      },
      {
        name: 'the definition of what a file of tasks is given by two tasks',
        file: ROLE,
        text: `tasks:\n${['a', 'b'].map((name) => `  - include: { tasks: tasks/settings.yaml, vars: { given: ${name} } }\n`).join('')}  - set: { label: x }\n  - fail: { message: "\${$la¦bel}" }\n`,
        definitions: ['4 label'],
      },
      {
        name: 'the type of a variable without a value, where another variable of the role cannot be computed',
        file: ROLE,
        text: VARS.replace('${$color}', '${$co¦lor}'),
        hovers: /^`\$color`: text$/,
      },
      {
        name: 'nothing but the type of what a run sets',
        file: ROLE,
        text: 'tasks: [{ set: { a: 1 } }, { fail: { message: "${$string($¦a)}" } }]\n',
        hovers: /^`\$a`: a number$/,
      },
    ],
  },
  {
    name: 'a project with long values and odd names',
    files: {
      ...WEB_PROJECT,
      'roles/web/crd.yaml': CRD.replace('size:', 'café: { type: string }\n                size:'),
      'roles/web/samples/web.yaml': `apiVersion: example.com/v1\nkind: Web\nmetadata: { name: shop }\nspec: { replicas: 1, café: au lait, image: ${LONG_TEXT} }\n`,
    },
    cases: [
      {
        name: 'the beginning of a long value',
        file: ROLE,
        text: typed(ROLE, '${spec.image}', '${spec.im¦age}'),
        hovers: /In the sample: `"x{199}…`$/,
      },
      {
        name: 'no value of a name that ends in a letter of its own',
        file: ROLE,
        text: typed(ROLE, '${spec.image}', '${spec.ca¦fé}'),
        hovers: /^``café``: text, may be missing$/,
      },
    ],
  },
]

for (const { name, files, cases } of PROJECTS) {
  describe(`the language server in ${name}`, () => {
    let folder: ProjectFolder
    let project: ViewedProject
    before(async () => {
      folder = await ProjectFolder.create(files)
      project = await ViewedProject.read(folder)
    })
    after(() => folder.delete())

    for (const one of cases) {
      it(`shows ${one.name}`, () => {
        const request = project.request(one.file, one.text.replace('¦', ''), one.text.indexOf('¦'))
        const labels = complete(request).suggestions.map(({ label }) => label)
        if (one.offers) expect(labels).to.deep.equal([...one.offers])
        if (one.has) expect(labels).to.include.members([...one.has])
        if (one.hovers) expect(hover(request)?.text).to.match(one.hovers)
        else if ('hovers' in one) expect(hover(request)).to.equal(undefined)
        if ('definitions' in one) {
          const found = meaningAt(request)?.definitions.map(({ source, start, end }) => {
            return `${source.position(start).line} ${source.text.slice(start, end)}`
          })
          expect(found).to.deep.equal(one.definitions)
        }
        if (one.leadsTo !== undefined) {
          const path = fileAt(request)
          expect(path === undefined ? false : folder.relative(path)).to.equal(one.leadsTo)
        }
      })
    }
  })
}
