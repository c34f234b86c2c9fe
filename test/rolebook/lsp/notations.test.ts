import { expect } from 'chai'
import { checkRoleText } from '../../support/tried-role.ts'
import { findingsWith } from '../broken/check-broken.ts'
import { offeredFixes } from './fixed-text.ts'

const config = (data: string): string => `tasks:
  - name: Config
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: web-config }
      data:
        text: ${data}
`

/** A fix keeps the notation of YAML where it can, and writes another where the text would be read otherwise. */
const CASES: readonly { readonly name: string; readonly written: string; readonly fixed: string }[] = [
  { name: 'without quotes', written: '${self.spec.image}', fixed: '${spec.image}' },
  {
    name: 'without quotes, when the expression gets a colon',
    written: '${"a" if spec.debug else "b"}',
    fixed: `'\${spec.debug ? "a" : "b"}'`,
  },
  {
    name: 'in single quotes, with one within',
    written: "'${spec.image | default(''x'')}'",
    fixed: "'${spec.image ?? ''x''}'",
  },
  {
    name: 'in double quotes',
    written: '"${spec.mode == \\"fast\\" ? 1 : 2}"',
    fixed: '"${spec.mode = \'fast\' ? 1 : 2}"',
  },
  {
    name: 'in double quotes, with both kinds within',
    written: '"${spec.image | default(\\"it\'s\\")}"',
    fixed: '"${spec.image ?? \\"it\'s\\"}"',
  },
  {
    name: 'between other expressions',
    written: '"a ${metadata.name} ${self.metadata.name} b"',
    fixed: '"a ${metadata.name} ${metadata.name} b"',
  },
  {
    name: 'in a block of several lines',
    written: '|\n          one\n          ${len(spec.tags)}\n          two',
    fixed: '|\n          one\n          ${$count(spec.tags)}\n          two',
  },
  {
    name: 'in an expression of several lines',
    written: '|\n          ${ $string(\n            len(spec.tags)\n          )}',
    fixed: '|\n          ${$string(\n            $count(spec.tags)\n          )}',
  },
  { name: 'of Kustomize', written: '$(metadata.name)', fixed: '${metadata.name}' },
]

/** A CRD of a kind that another group has, too. */
const thingsOf = (group: string): string =>
  `{ apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: { name: things.${group} }, ` +
  `spec: { group: ${group}, scope: Namespaced, names: { kind: Thing, plural: things, singular: thing, listKind: ThingList }, ` +
  'versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] } }'
const testOf = (object: string): string =>
  `given:\n  - ${thingsOf('a.example.com')}\n  - ${thingsOf('b.example.com')}\nsteps:\n  - absent:\n      - ${object}\n`

/** What a hint names would not do there. */
const LEFT: readonly { readonly name: string; readonly role: string; readonly code: string }[] = [
  {
    name: 'a template that does more than to name a path',
    role: config('"{{ metadata.name | upper }}"'),
    code: 'RB1156',
  },
  {
    name: 'a name that is computed',
    code: 'RB1806',
    role: `${config('hello')}  - name: Pod
    ensure:
      apiVersion: v1
      kind: Pod
      metadata: { name: web }
      spec:
        containers: [{ name: web, image: nginx, envFrom: [{ configMapRef: { name: "\${$name}-confg" } }] }]
`.replace('tasks:\n', 'vars: { name: web }\ntasks:\n'),
  },
]

describe('the notation of a quick fix', () => {
  for (const { name, written, fixed } of CASES) {
    it(name, async () => {
      const text = config(written)
      const found = await checkRoleText(text)
      const fixes = found.flatMap((one) => offeredFixes(text, one))
      expect(fixes.map((one) => one.text)).to.include(config(fixed))
    })
  }
})

describe('a version that an object of a test lacks', () => {
  const cases = [
    {
      name: 'in braces',
      given: '{ kind: Thing, name: x }',
      fixed: '{ apiVersion: b.example.com/v1, kind: Thing, name: x }',
    },
    {
      name: 'in lines',
      given: 'kind: Thing\n        name: x',
      fixed: 'apiVersion: b.example.com/v1\n        kind: Thing\n        name: x',
    },
  ]
  for (const { name, given, fixed } of cases) {
    it(`is added ${name}, one of those that there are`, async () => {
      const text = testOf(given)
      const [found] = await findingsWith('tests', text)
      const fixes = found ? offeredFixes(text, found) : []
      expect(fixes.map(({ title, isPreferred }) => [title, isPreferred])).to.deep.equal([
        ['Add apiVersion: a.example.com/v1', false],
        ['Add apiVersion: b.example.com/v1', false],
      ])
      expect(fixes[1]?.text).to.equal(testOf(fixed))
      expect(await findingsWith('tests', testOf(fixed))).to.deep.equal([])
    })
  }
})

describe('a quick fix', () => {
  for (const { name, role, code } of LEFT) {
    it(`is not offered for ${name}`, async () => {
      const found = (await checkRoleText(role)).filter((one) => one.code === code)
      expect(found, 'findings').to.have.length(1)
      expect(found.flatMap((one) => offeredFixes(role, one)).map(({ title }) => title)).to.deep.equal([])
    })
  }
})
