import { expect } from 'chai'
import { long } from '../../support/long-tests.ts'
import { checkRoleText, type TriedProject, WEB_SAMPLE, webCrd } from '../../support/tried-role.ts'

interface Case {
  readonly name: string
  readonly tasks: string
  readonly project: TriedProject
  /** The findings, each as `RB1801 2:5 message`. */
  readonly finds: readonly string[]
}

const config = (metadata: string, rest = ''): string =>
  `  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {${metadata}}${rest}}\n`
const status = (fields: string): string => `  - status: {${fields}}\n`
const pods = (container: string): string => `  - ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: sidecar, image: nginx}, {name: web, image: nginx${container}}]}
`
const watches = (entry: string): TriedProject['files'] => ({ 'watches.yaml': `- {${entry}, role: web}\n` })
const EVERYWHERE = watches('group: example.com, version: v1, kind: Web, allowedNamespaces: ["*"]')
const NOT_A_NAME = 'is not a valid name (DNS-1123)'

/** A CRD whose field `any` takes any value, and a sample with one: of neither does a check of types say anything. */
const OPEN = webCrd(`size: {type: integer}
                extra: {type: string}
                any: {x-kubernetes-preserve-unknown-fields: true}`)
const withAny = (any: string): TriedProject => ({
  crd: OPEN,
  sample: `apiVersion: example.com/v1\nkind: Web\nmetadata: {name: web}\nspec: {size: 1, any: ${any}}\n`,
})
const CONDITIONS = 'items: {type: object, x-kubernetes-preserve-unknown-fields: true}'
const CONDITIONS_OF_TEXTS = `items: {type: object, properties: {${['type', 'status', 'reason', 'message', 'lastTransitionTime'].map((name) => `${name}: {type: string}`).join(', ')}}}`
const CONDITION = '{type: Other, status: "True", reason: A, message: a}'
const UNSUPPORTED = 'a server refuses `status.phase`: Unsupported value: "Wrong": supported values: "Up", "Down"'

const CASES: readonly Case[] = [
  {
    name: 'what a rule of a CRD says of an object as a whole',
    tasks: '  - ensure: {apiVersion: example.com/v1, kind: Web, metadata: {name: other}, spec: {size: 3}}\n',
    project: {
      crd: webCrd().replace(
        'required: [spec]\n',
        'required: [spec]\n          x-kubernetes-validations: [{rule: "self.spec.size != 3", message: no three}]\n',
      ),
    },
    finds: ['RB1801 2:5 task "ensure (task 1)": a server refuses the object: Invalid value: no three'],
  },
  {
    name: 'a value that a server cannot read, in the second item of a list, and what is missing without it',
    tasks: pods(', ports: [{containerPort: "${spec.any}"}]'),
    project: withAny('text'),
    finds: [
      'RB1801 10:96 task "ensure (task 1)": a server refuses `spec.template.spec.containers[1].ports[0].containerPort`: Required value (shown by a resource with the required fields alone)',
      'RB1801 10:112 task "ensure (task 1)": a server refuses `spec.template.spec.containers[1].ports[0].containerPort`: json: cannot unmarshal string into Go struct field ContainerPort.spec.template.spec.containers.ports.containerPort of type int32',
    ],
  },
  {
    name: 'an expression that fails within an item of a list',
    tasks: pods(', env: [{name: A, value: "${$string($number(spec.any))}"}]'),
    project: withAny('text'),
    finds: [
      'RB1803 10:111 task "ensure (task 1)": the task fails: spec.template.spec.containers[1].env[0].value: D3030: the value cannot be read as a number',
    ],
  },
  {
    name: 'an item that an expression makes, at its list',
    tasks: pods(', ports: ["${spec.any}"]'),
    project: withAny('{containerPort: 70000}'),
    finds: [
      'RB1801 10:88 task "ensure (task 1)": a server refuses `spec.template.spec.containers[1].ports[0].containerPort`: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
  },
  {
    name: 'a probe of a port in a list that a server cannot read',
    tasks: pods(', ports: "${spec.any}", livenessProbe: {httpGet: {port: web}}'),
    project: withAny('[web]'),
    finds: [
      'RB1801 10:95 task "ensure (task 1)": a server refuses `spec.template.spec.containers[1].ports[0]`: json: cannot unmarshal string into Go struct field Container.spec.template.spec.containers.ports of type v1.ContainerPort',
      'RB1806 10:142 task "ensure (task 1)": the container has no port "web"',
    ],
  },
  {
    name: 'a failure that names no field, at its task',
    tasks: `${config('name: "a-${$item}"')}    loop: \${[1..1001]}\n`,
    project: {},
    finds: ['RB1803 2:5 task "ensure (task 1)": the task fails: the loop has 1001 items: at most 1000 are allowed'],
  },
  {
    name: 'a key that one of two expressions makes, at the map',
    tasks: config('name: a', ', data: {"a/${spec.size}": x, "b${spec.size}": x}'),
    project: {},
    finds: [
      "RB1801 2:68 task \"ensure (task 1)\": a server refuses `data[a/2]`: Invalid value: \"a/2\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name')",
    ],
  },
  {
    name: 'a namespace that is no name',
    tasks: config('name: a, namespace: "${spec.any}"'),
    project: { ...withAny('Not_valid'), files: EVERYWHERE },
    finds: [`RB1803 2:78 task "ensure (task 1)": the task fails: \`metadata.namespace\` "Not_valid" ${NOT_A_NAME}`],
  },
  {
    name: 'nothing of a sample whose namespace is no name: no server takes it',
    tasks: config('name: Web'),
    project: { sample: WEB_SAMPLE.replace('namespace: default', 'namespace: Not_valid') },
    finds: [],
  },
  {
    name: 'what a role makes for a resource of a kind whose CRD is not given',
    tasks: config('name: Web'),
    project: { crd: '', sample: '' },
    finds: [`RB1803 2:64 task "ensure (task 1)": the task fails: \`metadata.name\` "Web" ${NOT_A_NAME}`],
  },
  {
    name: 'what a role makes for a sample of a kind whose CRD is not given',
    tasks: config('name: Web'),
    project: { crd: '' },
    finds: [`RB1803 2:64 task "ensure (task 1)": the task fails: \`metadata.name\` "Web" ${NOT_A_NAME}`],
  },
  {
    name: 'the name of an object that is in no namespace, where it is misspelt',
    tasks: `  - ensure: {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: reader}, rules: []}
  - ensure:
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: web}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: raeder}
      subjects: []
`,
    project: {
      files: watches(
        'group: example.com, version: v1, kind: Web, allowedNamespaces: ["*"], acknowledge: [ClusterRole.rbac.authorization.k8s.io, RoleBinding.rbac.authorization.k8s.io]',
      ),
    },
    finds: [
      'RB1806 7:79 task "ensure (task 2)": the role makes no ClusterRole "raeder", and one that is almost called so',
    ],
  },
  {
    name: 'objects of all namespaces that a role reads as if one were in the namespace `default`',
    tasks: `  - list: {apiVersion: v1, kind: ConfigMap, namespace: "*"}\n    register: all\n${config('name: "${$all[0].metadata.namespace}_x"')}`,
    project: { files: EVERYWHERE },
    finds: [`RB1803 4:64 task "ensure (task 2)": the task fails: \`metadata.name\` "default_x" ${NOT_A_NAME}`],
  },
  {
    name: 'a status that a server refuses, among conditions of two tasks',
    tasks:
      status(`conditions: [${CONDITION}], phase: "\${spec.any}"`) +
      status(`conditions: [${CONDITION.replace('Other', 'Another')}]`),
    project: withAny('Wrong'),
    finds: [`RB1805 2:89 task "status (task 1)": ${UNSUPPORTED}`],
  },
  {
    name: 'a status that a server refuses, behind a block without one',
    tasks:
      `  - block: {tasks: [${config('name: web').trim().slice(2)}]}\n`
        .replace('[ensure: {', '[{ensure: {')
        .replace('}}]', '}}}]') + status('phase: "${spec.any}"'),
    project: withAny('Wrong'),
    finds: [`RB1805 3:21 task "status (task 2)": ${UNSUPPORTED}`],
  },
  {
    name: 'a status that a server refuses, within a block',
    tasks: '  - block:\n      tasks:\n        - status: {phase: "${spec.any}"}\n',
    project: withAny('Wrong'),
    finds: [`RB1805 4:27 task "status (task 1 of block (task 1))": ${UNSUPPORTED}`],
  },
  {
    name: 'nothing of a status that is right with the sample, and wrong with a text that was made up',
    tasks: status('phase: "${spec.extra ?? \'Up\'}"'),
    project: withAny('1'),
    finds: [],
  },
  {
    name: 'nothing of conditions, which the engine completes',
    tasks: status('conditions: [{type: Other, status: "${spec.any}"}]'),
    project: {
      ...withAny('5'),
      crd: OPEN.replace(CONDITIONS, CONDITIONS_OF_TEXTS),
    },
    finds: [],
  },
  {
    name: 'nothing of a field of the status that no task sets',
    tasks: status('phase: Up'),
    project: { crd: webCrd().replace('            status:\n', '            status:\n              required: [url]\n') },
    finds: [],
  },
]

describe('the trial of an odd project', function () {
  this.timeout(60_000)

  for (const { name, tasks, project, finds } of CASES) {
    it(`finds ${name}`, async () => {
      const found = await checkRoleText(`tasks:\n${tasks}`, project)
      expect(found.map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`)).to.deep.equal(
        finds,
      )
    })
  }

  it('reports an expression that fails once, however many items show it', async () => {
    const tasks = config('name: "a-${$item}"', ', data: {a: "${$string($number(spec.any))}"}')
    const found = await checkRoleText(`tasks:\n${tasks}    loop: [1, 2]\n`, withAny('text'))
    expect(found.map(({ message }) => message)).to.deep.equal([
      'task "ensure (task 1)": the task fails: data.a: D3030: the value cannot be read as a number',
    ])
  })

  it('shows the end of a file that ends without a line break', async () => {
    const role = `tasks:
  - ensure:
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: nginx}]}}
        replicas: -1`
    const [found] = await checkRoleText(role)
    const place = [found?.message, found?.line, found?.column, found?.endColumn]
    const message =
      'task "ensure (task 1)": a server refuses `spec.replicas`: Invalid value: -1: must be greater than or equal to 0'
    expect(place).to.deep.equal([message, 9, 19, 21])
  })

  long.it('ends after the samples when they make more objects than it judges', async () => {
    const slow = '"a-${$item}${spec.mode = \\"slow\\" ? \\"_\\" : \\"\\"}"'
    const role = (count: number): string =>
      `tasks:\n${config(`name: ${slow}`)}    loop: \${[1..${count}]}\n${config('name: "b-${$item}"')}    loop: \${[1..${count}]}\n`
    expect((await checkRoleText(role(2))).map(({ code }) => code)).to.deep.equal(['RB1803'])
    expect(await checkRoleText(role(760))).to.deep.equal([])
  })
})
