import { expect } from 'chai'
import { checkText } from '../../../support/checked-role.ts'

interface Case {
  readonly name: string
  readonly text: string
  /** Another file of tasks. */
  readonly file?: string
  /** Place, code, message and hint of each finding. */
  readonly found: readonly string[]
}

const MAP = '  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: "${$labels}"}}\n'
const OTHER = '  - ensure: {apiVersion: v1, kind: Secret, metadata: {name: a, labels: "${$labels}"}}\n'
const USE = 'it goes into `metadata.labels'

const CASES: readonly Case[] = [
  {
    name: 'an expression in a map that is used twice',
    text: `vars:\n  labels: {a: b, c: "\${spec.size}"}\ntasks:\n${MAP}${OTHER}`,
    found: [
      `role.yaml:2:24 RB1221 this is a number, where text is wanted: ${USE}.c\` in line 4; write \`\${$string(…)}\` for its text`,
    ],
  },
  {
    name: 'a number of a map',
    text: `vars:\n  labels: {c: 3}\ntasks:\n${MAP}`,
    found: [`role.yaml:2:15 RB1221 this is a number, where text is wanted: ${USE}.c\` in line 4; write "3"`],
  },
  {
    name: 'a list of a map, whose items are wrong',
    text: 'vars:\n  box: {name: a, args: [3]}\ntasks:\n  - ensure: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: ["${$box}"]}}\n',
    found: [
      'role.yaml:2:24 RB1221 `[0]` is a number, where text is wanted: it goes into `spec.containers[0].args` in line 4; write `${$string(…)}` for its text',
    ],
  },
  {
    name: 'a field that there is not',
    text: 'vars:\n  box: {name: a, imge: x}\ntasks:\n  - ensure: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: ["${$box}"]}}\n',
    found: [
      'role.yaml:2:18 RB1130 there is no field `imge`: it goes into `spec.containers[0].imge` in line 4; did you mean `image`?',
    ],
  },
  {
    name: 'a map of a task that includes another file',
    text: 'tasks:\n  - include: {tasks: tasks/a.yaml, vars: {labels: {c: true}}}\n',
    file: MAP.slice(2),
    found: [
      `role.yaml:2:55 RB1221 this is true or false, where text is wanted: ${USE}.c\` in line 1 of tasks/a.yaml; write "true"`,
    ],
  },
  {
    name: 'a map that an expression makes, where it stands',
    text: 'tasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: \'${ {"c": spec.size} }\'}}\n',
    found: ['role.yaml:2:79 RB1221 `c` is a number, where text is wanted; for `c`: write `${$string(…)}` for its text'],
  },
  {
    name: 'a map as a whole, where it stands',
    text: 'vars:\n  labels: {a: b}\ntasks:\n  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${$labels}"}}\n',
    found: ['role.yaml:4:67 RB1221 this is an object, where text is wanted; undefined'],
  },
]

describe('a wrong field of a map is reported once, where it is written', () => {
  for (const { name, text, file = '', found } of CASES) {
    it(name, () => {
      const seen = checkText(text, {}, { files: { 'tasks/a.yaml': file } }).map(
        (one) => `${one.file}:${one.line}:${one.column} ${one.code} ${one.message}; ${one.hint}`,
      )
      expect(seen).to.deep.equal(found)
    })
  }
})
