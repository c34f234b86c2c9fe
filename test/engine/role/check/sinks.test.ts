import { expect } from 'chai'
import { checkText } from '../../../support/checked-role.ts'

interface Case {
  readonly name: string
  /** Before the task that makes a Pod. */
  readonly tasks?: string
  readonly vars?: string
  /** Of the Pod, in flow style. */
  readonly spec: string
  readonly loop?: string
  /** Whether it is reported. */
  readonly reported: boolean
}

const CONTAINER = 'containers: [{ name: a, image: b }]'

const CASES: readonly Case[] = [
  { name: 'the name of a ServiceAccount', spec: `serviceAccountName: "\${spec.name}", ${CONTAINER}`, reported: true },
  { name: 'a part of it', spec: `serviceAccountName: "web-\${spec.name}", ${CONTAINER}`, reported: true },
  { name: 'what a Pod runs', spec: 'containers: [{ name: a, image: b, command: ["${spec.name}"] }]', reported: true },
  {
    name: 'the value of an option of what it runs',
    spec: 'containers: [{ name: a, image: b, command: [web, "-m=${spec.name}"] }]',
    reported: false,
  },
  {
    name: 'an option of what it runs',
    spec: 'containers: [{ name: a, image: b, command: [web, "-${spec.name}=1"] }]',
    reported: true,
  },
  {
    name: 'a program that looks like an option',
    spec: 'containers: [{ name: a, image: b, command: ["-m=${spec.name}", web] }]',
    reported: true,
  },
  {
    name: 'the value of an option that a shell reads',
    spec: 'containers: [{ name: a, image: b, command: [/bin/bash, "-c=${spec.name}"] }]',
    reported: true,
  },
  {
    name: 'a path of the node',
    spec: `volumes: [{ name: v, hostPath: { path: "\${spec.name}" } }], ${CONTAINER}`,
    reported: true,
  },
  {
    name: 'privileges',
    spec: 'containers: [{ name: a, image: b, securityContext: { privileged: "${$exists(spec.name)}" } }]',
    reported: false,
  },
  { name: 'the whole of the resource', spec: `serviceAccountName: "\${$$.spec.name}", ${CONTAINER}`, reported: true },
  {
    name: 'a label of the resource',
    spec: `serviceAccountName: "\${metadata.labels.a}", ${CONTAINER}`,
    reported: true,
  },
  { name: 'its name', spec: `serviceAccountName: "\${metadata.name}", ${CONTAINER}`, reported: false },
  { name: 'an image', spec: 'containers: [{ name: a, image: "${spec.name}" }]', reported: false },
  { name: 'what stands in the role', spec: `serviceAccountName: web, ${CONTAINER}`, reported: false },
  {
    name: 'a choice among what the role offers',
    spec: `serviceAccountName: "\${spec.name = 'a' ? 'web' : 'admin'}", ${CONTAINER}`,
    reported: false,
  },
  {
    name: 'a variable',
    tasks: '  - set: { account: "${spec.name}" }\n  - set: { other: "x-${$account}" }\n',
    spec: `serviceAccountName: "\${$other}", ${CONTAINER}`,
    reported: true,
  },
  {
    name: 'a variable of the role',
    vars: 'vars: { account: "${spec.name}" }\n',
    spec: `serviceAccountName: "\${$account}", ${CONTAINER}`,
    reported: true,
  },
  {
    name: 'a variable that holds what the role says',
    vars: 'vars: { account: web }\n',
    spec: `serviceAccountName: "\${$account}", ${CONTAINER}`,
    reported: false,
  },
  {
    name: 'an item of a loop',
    loop: '"${[spec.name]}"',
    spec: `serviceAccountName: "\${$item}", ${CONTAINER}`,
    reported: true,
  },
  {
    name: 'what is not an expression',
    spec: `serviceAccountName: "\${spec.name +}", ${CONTAINER}`,
    reported: false,
  },
]

describe('what a resource chooses', () => {
  for (const { name, tasks = '', vars = '', spec, loop, reported } of CASES) {
    it(`is ${reported ? 'reported as' : 'not reported as'} ${name}`, () => {
      const body = `ensure: { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { ${spec} } }`
      const text = `${vars}tasks:\n${tasks}  - ${body}\n${loop === undefined ? '' : `    loop: ${loop}\n`}`
      expect(codesOf(text)).to.deep.equal(reported ? ['RB1137'] : [])
    })
  }

  it('is reported in a file that is included, with what it is given', () => {
    const files = {
      'a.yaml': `- loop: [1]\n  loopVar: one\n  ensure: { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { serviceAccountName: "\${$given}", ${CONTAINER} } }\n`,
    }
    const include = (value: string): string => `tasks:\n  - include: { tasks: a.yaml, vars: { given: "${value}" } }\n`
    expect(codesOf(include('${spec.name}'), files)).to.deep.equal(['RB1137'])
    expect(codesOf(include('${metadata.name}'), files)).to.deep.equal([])
  })
})

function codesOf(text: string, files: Readonly<Record<string, string>> = {}): readonly string[] {
  return checkText(text, {}, { files }).flatMap(({ code }) => (code === 'RB1137' ? [code] : []))
}
